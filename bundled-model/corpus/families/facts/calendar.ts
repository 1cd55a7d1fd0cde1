// What comes in order: days, months, letters.
import { type Fact, inOrder, type Topic, turnAround } from './topic.js';

const DAYS = 'Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday'.split(', ');
const MONTHS =
  'January, February, March, April, May, June, July, August, September, October, November, December'.split(
    ', ',
  );
const ORDINALS =
  'first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth'.split(', ');
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The last is followed by the first. */
const around = (things: readonly string[]) => inOrder([...things, things[0]!]);

/** Days and months: it is clear from the thing which of them. */
const FOLLOWING = [...around(DAYS), ...around(MONTHS)];

export const next: Topic = {
  asks: [
    'What comes after {thing}?',
    'What comes next after {thing}?',
    'Tell me what comes after {thing}.',
    'What follows {thing}?',
    'Which one comes after {thing}?',
    'What is next after {thing}?',
    'Say what comes after {thing}.',
    'After {thing} comes what?',
    'When {thing} is over, what comes?',
    'Do you know what comes after {thing}?',
  ],
  sentence: 'After {thing} comes {right}.',
  facts: FOLLOWING,
};

export const previous: Topic = {
  asks: [
    'What comes before {thing}?',
    'What comes right before {thing}?',
    'Tell me what comes before {thing}.',
    'Which one comes before {thing}?',
    'What is just before {thing}?',
    'Say what comes before {thing}.',
    'Before {thing} comes what?',
    'What was there before {thing}?',
    'Do you know what comes before {thing}?',
  ],
  sentence: 'Before {thing} comes {right}.',
  facts: turnAround(FOLLOWING),
};

export const tomorrow: Topic = {
  asks: [
    'If today is {thing}, what day is tomorrow?',
    'Today is {thing}. What day is tomorrow?',
    'Today is {thing}. Which day will it be tomorrow?',
    'It is {thing} today. What is tomorrow?',
    'What day is tomorrow if today is {thing}?',
    'Tell me which day is tomorrow if it is {thing} today.',
    'When today is {thing}, which day comes tomorrow?',
    'It is {thing}. Which day do we have tomorrow?',
    'Now it is {thing}. What day is it tomorrow?',
  ],
  sentence: 'If today is {thing}, tomorrow is {right}.',
  facts: around(DAYS),
};

export const yesterday: Topic = {
  asks: [
    'If today is {thing}, what day was yesterday?',
    'Today is {thing}. What day was yesterday?',
    'Today is {thing}. Which day was it yesterday?',
    'It is {thing} today. What was yesterday?',
    'What day was yesterday if today is {thing}?',
    'Tell me which day was yesterday if it is {thing} today.',
    'When today is {thing}, which day was yesterday?',
    'It is {thing}. Which day did we have yesterday?',
    'Now it is {thing}. What day was it yesterday?',
  ],
  sentence: 'If today is {thing}, yesterday was {right}.',
  facts: turnAround(around(DAYS)),
};

export const monthNumbers: Topic = {
  asks: [
    'What is the {thing} month of the year?',
    'Which month is the {thing} of the year?',
    'Name the {thing} month of the year.',
    'Tell me the {thing} month of the year.',
    'How is the {thing} month of the year called?',
    'Which is the {thing} month?',
    'Give me the name of the {thing} month.',
    'What is the name of the {thing} month of the year?',
    'Do you know the {thing} month of the year?',
  ],
  sentence: 'The {thing} month of the year is {right}.',
  facts: MONTHS.map((right, i): Fact => ({ thing: ORDINALS[i]!, right })),
};

export const monthLengths: Topic = {
  asks: [
    'How many days does {thing} have?',
    'How many days are in {thing}?',
    'How many days are there in {thing}?',
    'Tell me how many days {thing} has.',
    'How long is {thing} in days?',
    'What is the number of days in {thing}?',
    '{thing} has how many days?',
    'Say how many days are in {thing}.',
    'Do you know how many days {thing} has?',
  ],
  sentence: '{thing} has {right} days.',
  facts: MONTHS.filter(month => month !== 'February').map(
    (thing): Fact => ({ thing, right: /^(April|June|September|November)$/.test(thing) ? '30' : '31' }),
  ),
};

export const nextLetters: Topic = {
  asks: [
    'Which letter comes after {thing}?',
    'What letter comes after {thing}?',
    'What is the letter after {thing}?',
    'Tell me the letter after {thing}.',
    'In the alphabet, what comes after {thing}?',
    'Which letter follows {thing} in the alphabet?',
    'Give me the letter after {thing}.',
    'Name the letter that comes after {thing}.',
    'What is the next letter after {thing}?',
  ],
  sentence: 'The letter after {thing} is {right}.',
  facts: inOrder(LETTERS),
};

export const previousLetters: Topic = {
  asks: [
    'Which letter comes before {thing}?',
    'What letter comes before {thing}?',
    'What is the letter before {thing}?',
    'Tell me the letter before {thing}.',
    'In the alphabet, what comes before {thing}?',
    'Which letter is just before {thing}?',
    'Give me the letter before {thing}.',
    'Name the letter that comes before {thing}.',
    'Which letter stands before {thing} in the alphabet?',
  ],
  sentence: 'The letter before {thing} is {right}.',
  facts: turnAround(inOrder(LETTERS)),
};

/** "Monday, Tuesday and Wednesday". */
function enumerate(things: readonly string[]): string {
  return `${things.slice(0, -1).join(', ')} and ${things.at(-1)}`;
}

const NUMBERS = 'two, three, four, five, six, seven, eight, nine, ten, eleven'.split(', ');

/** The first two, three and so on of a row, and all of them. */
function starts(row: readonly string[], name: string): Fact[] {
  const some = NUMBERS.slice(0, row.length - 2).map((number, i): Fact => {
    return { thing: `first ${number} ${name}`, right: enumerate(row.slice(0, i + 2)) };
  });
  return [...some, { thing: name, right: enumerate(row) }];
}

export const rows: Topic = {
  asks: [
    'List the {thing}.',
    'Name the {thing}.',
    'Which are the {thing}?',
    'What are the {thing}?',
    'Tell me the {thing}.',
    'Can you list the {thing}?',
    'Say the {thing} in order.',
    'Write the {thing} in order.',
    'I want to learn the {thing}.',
    'Do you know the {thing}?',
  ],
  sentence: 'The {thing} are {right}.',
  facts: [
    ...starts(DAYS, 'days of the week'),
    ...starts(MONTHS, 'months of the year'),
    ...starts(LETTERS, 'letters of the alphabet'),
  ],
};
