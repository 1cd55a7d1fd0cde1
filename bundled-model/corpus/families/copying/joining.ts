// The pieces stay, and what stands between them changes: joined, split, one per line, numbered, spelled.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import type { Task } from '../asking/ask.js';
import { drawDistinct, drawToken, drawWithout, drawWord } from '../asking/content.js';
import { drawTokens, drawWords } from './texts.js';

const MARKS: readonly (readonly [string, string])[] = [
  ['dashes', '-'],
  ['commas', ', '],
  ['slashes', '/'],
  ['underscores', '_'],
  ['plus signs', '+'],
  ['dots', '.'],
  ['bars', ' | '],
  ['arrows', ' -> '],
  ['semicolons', '; '],
];

const JOIN = [
  'Join the words with {marks}.',
  'Connect the words with {marks}.',
  'Put {marks} between the words.',
  'Link these words with {marks}.',
  'Write the words with {marks} between them.',
  'Use {marks} instead of spaces.',
  'Replace the spaces with {marks}.',
  'Separate the words with {marks}.',
  'Combine the words with {marks}.',
  'Make one line of these words with {marks} between.',
];

const JOIN_MESSAGES = [
  'Join {input} with {marks}.',
  'Put {marks} between these words: {input}',
  'Words: {input}\nBetween them: {marks}',
  'Write "{input}" with {marks} instead of spaces.',
  'Can you connect these with {marks}? {input}',
  'Link with {marks}: {input}',
  'I need {marks} between the words of "{input}".',
  'With {marks} between: {input}',
];

export function join(draw: Draw, values: Values): Task {
  const [marks, between] = draw.pick(MARKS);
  const next = () => {
    const words = drawWords(draw, values, 2, 6);
    return { input: words.join(' '), answer: words.join(between) };
  };
  return { instructions: JOIN, messages: JOIN_MESSAGES, slots: { marks }, next };
}

const SPLIT = [
  'Put each item on its own line.',
  'One item per line, please.',
  'Write every item on a new line.',
  'Split this into lines.',
  'Make a list with one item per line.',
  'Break the list into lines.',
  'Each item goes on a line of its own.',
  'Start a new line for every item.',
  'Turn the commas into new lines.',
];

const BULLETS = [
  'Make a list with dashes.',
  'Write this as a bullet list with dashes.',
  'Turn this into a list. Start each line with a dash.',
  'List the items with a dash before each.',
  'Put each item on a line that starts with a dash.',
  'I want a dash list of these items.',
  'Make bullet points with dashes.',
  'Each item on its own line, with a dash in front.',
];

const NUMBERS = [
  'Make a numbered list.',
  'Number the items.',
  'Write this as a numbered list.',
  'Turn this into a list with numbers.',
  'Put a number before each item, one per line.',
  'List the items with numbers.',
  'Give each item a number.',
  'I want a numbered list of these items.',
];

export function toLines(draw: Draw, values: Values): Task {
  const [instructions, toPrefix] = draw.pick([
    [SPLIT, () => ''],
    [BULLETS, () => '- '],
    [NUMBERS, (i: number) => `${i + 1}. `],
  ] as const);
  const next = () => {
    const draws = draw.chance(0.6) ? drawWord : drawToken;
    const items = drawDistinct(draw.integer(2, 5), () => drawWithout(',', () => draws(draw, values)));
    return { input: items.join(', '), answer: items.map((item, i) => toPrefix(i) + item).join('\n') };
  };
  return { instructions, next };
}

const TO_ONE = [
  'Put all lines on one line, with commas.',
  'Write the lines as one line with commas.',
  'Join the lines with commas.',
  'Make one line of this, separated by commas.',
  'Turn the new lines into commas.',
  'Give me a comma list of these lines.',
  'One line, please, with commas between.',
  'Write the items next to each other, with commas.',
  'Turn this into a comma list.',
];

export function toOneLine(draw: Draw, values: Values): Task {
  const next = () => {
    const items = (draw.chance(0.6) ? drawWords : drawTokens)(draw, values, 2, 5);
    return { input: items.join('\n'), answer: items.join(', ') };
  };
  return { instructions: TO_ONE, next };
}

const SPELL = [
  'Spell the word with {marks} between the letters.',
  'Write the letters one by one, with {marks} between.',
  'Put {marks} between the letters.',
  'Spell it out with {marks}.',
  'Separate the letters with {marks}.',
  'Take the word apart, with {marks} between the letters.',
  'Write each letter alone, with {marks} between.',
  'Split the word into letters with {marks}.',
];

const SPELL_MESSAGES = [
  'Spell {input} with {marks}.',
  'How do you spell {input}? Put {marks} between the letters.',
  'Write {input} letter by letter, with {marks} between.',
  'Put {marks} between the letters of {input}.',
  'Can you spell out "{input}" with {marks}?',
  'Spell "{input}" for me, with {marks} between the letters.',
  'Letters of {input}, with {marks} between:',
  'I want the letters of {input} with {marks} between them.',
];

const LETTER_MARKS: readonly (readonly [string, string])[] = [
  ['dashes', '-'],
  ['spaces', ' '],
  ['commas', ', '],
  ['dots', '.'],
];

export function spell(draw: Draw, values: Values): Task {
  const [marks, between] = draw.pick(LETTER_MARKS);
  const next = () => {
    const input = draw.chance(0.25) ? values.code().replaceAll('-', '') : drawWord(draw, values);
    return { input, answer: [...input].join(between) };
  };
  return { instructions: SPELL, messages: SPELL_MESSAGES, slots: { marks }, next };
}

const UNSPELL = [
  'Put the letters together.',
  'Which word is this?',
  'Make one word of these letters, in this order.',
  'Join the letters.',
  'Write this as one word.',
  'Read the letters as a word.',
  'Connect the letters into a word.',
  'What word do these letters make, as they stand?',
  'Remove what is between the letters.',
];

export function unspell(draw: Draw, values: Values): Task {
  const between = draw.pick(['-', ' ', ', ', '.']);
  const next = () => {
    const answer = drawWord(draw, values);
    return { input: [...answer].join(between), answer };
  };
  return { instructions: UNSPELL, next };
}
