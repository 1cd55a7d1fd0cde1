// One part of the text comes back: a word by its place, what stands between marks, what belongs to a name.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import type { Case, Task } from '../asking/ask.js';
import { drawDistinct, drawNoun, drawSentence, drawToken, drawWithout, drawWord } from '../asking/content.js';
import { PLAIN_SENTENCES } from '../asking/sentences.js';
import { drawWords } from './texts.js';

const PLACES: readonly (readonly [string, number])[] = [
  ['first', 0],
  ['first', 0],
  ['second', 1],
  ['third', 2],
  ['last', -1],
  ['last', -1],
];

const PLACE = [
  'Give me the {place} word.',
  'What is the {place} word?',
  'Write only the {place} word.',
  'Which word comes {place}?',
  'Copy the {place} word of the text.',
  'Name the {place} word.',
  'Return the {place} word and nothing else.',
  'Find the {place} word.',
  'Say the {place} word of this.',
  'I only need the {place} word.',
  'Take the {place} word of the text.',
];

const PLACE_MESSAGES = [
  'What is the {place} word of "{input}"?',
  'Tell me the {place} word: {input}',
  'Which word comes {place} in "{input}"?',
  'The {place} word of "{input}" is what?',
  'Look at this: {input}\nWhat is the {place} word?',
  'Give the {place} word of {input}',
  'In "{input}", what is the {place} word?',
  '{place} word of "{input}"?',
];

export function pickWord(draw: Draw, values: Values): Task {
  const [place, at] = draw.pick(PLACES);
  const next = () => {
    const input = draw.chance(0.4)
      ? drawSentence(draw, values, PLAIN_SENTENCES)
      : drawWords(draw, values, 3, 6).join(' ');
    return { input, answer: input.split(' ').at(at)! };
  };
  return { instructions: PLACE, messages: PLACE_MESSAGES, slots: { place }, next };
}

const EXCEPT = [
  'Write everything but the {place} word.',
  'Remove the {place} word.',
  'Leave out the {place} word.',
  'Delete the {place} word of the text.',
  'Copy the text without its {place} word.',
  'Drop the {place} word.',
  'Skip the {place} word and write the rest.',
  'Take away the {place} word.',
  'All words except the {place} one.',
];

export function dropPlace(draw: Draw, values: Values): Task {
  const first = draw.chance(0.5);
  const next = () => {
    const words = drawWords(draw, values, 3, 6);
    const rest = first ? words.slice(1) : words.slice(0, -1);
    return { input: words.join(' '), answer: rest.join(' ') };
  };
  return { instructions: EXCEPT, slots: { place: first ? 'first' : 'last' }, next };
}

const BETWEEN: readonly (readonly [string, string, string])[] = [
  ['brackets', '(', ')'],
  ['square brackets', '[', ']'],
  ['quotation marks', '"', '"'],
  ['stars', '*', '*'],
  ['angle brackets', '<', '>'],
  ['slashes', '/', '/'],
  ['bars', '|', '|'],
];

const INSIDE = [
  'What is in {marks}?',
  'Write what stands between the {marks}.',
  'Copy the part in {marks}.',
  'Give me only the text in {marks}.',
  'What does it say between the {marks}?',
  'Return the part between {marks}, without them.',
  'Find the text inside the {marks}.',
  'Which part stands in {marks}?',
  'Take out what is in {marks} and write it.',
  'I only want the part in {marks}.',
];

const INSIDE_MESSAGES = [
  'What is in {marks} here? {input}',
  'Find what stands in {marks}: {input}',
  'In the text below, what is in {marks}?\n{input}',
  '{input} - what stands in {marks}?',
  'Look at this text: {input} Which part is in {marks}?',
  'Text: {input}\nIn {marks}:',
  'The text is: {input}\nTell me what is in {marks}.',
  'Copy the part in {marks} from this: {input}',
];

export function findInside(draw: Draw, values: Values): Task {
  const [marks, open, close] = draw.pick(BETWEEN);
  const next = () => {
    const words = drawWords(draw, values, 3, 6);
    const answer = draw.chance(0.5)
      ? drawWords(draw, values, 1, 3).join(' ')
      : drawWithout(open, () => drawToken(draw, values));
    words.splice(draw.integer(0, words.length), 0, open + answer + close);
    return { input: words.join(' '), answer };
  };
  return { instructions: INSIDE, messages: INSIDE_MESSAGES, slots: { marks }, next };
}

const LOOKUP = [
  'What belongs to {key}?',
  'Look up {key} in the list.',
  'What does the list say for {key}?',
  'Give me the entry for {key}.',
  'Which value does {key} have?',
  'Find {key} and write what stands next to it.',
  'What stands next to {key}?',
  'Only the entry of {key}, please.',
  'Copy the value of {key}.',
  'Search the list for {key}. What is its entry?',
];

/** A list of pairs, and one of them asked for. */
export function lookUp(draw: Draw, values: Values): Task {
  const toKey = draw.pick([values.firstName, values.word, values.city, () => drawNoun(draw)]);
  const toEntry = draw.pick([
    values.code,
    values.orderNumber,
    values.word,
    values.phone,
    values.amount,
    values.time,
  ]);
  const keys = drawDistinct(draw.integer(2, 5), toKey);
  const entries = drawDistinct(keys.length, toEntry);
  const [is, between] = draw.pick([
    [': ', '\n'],
    [' = ', '\n'],
    [': ', ', '],
    [' = ', '; '],
    [' - ', '\n'],
    [' has ', ', '],
  ] as const);
  const input = keys.map((key, i) => key + is + entries[i]).join(between);
  const at = draw.integer(0, keys.length - 1);
  const only: Case = { input, answer: entries[at]! };
  return { instructions: LOOKUP, slots: { key: keys[at]! }, next: () => only };
}

const ODD_ONE = [
  'Which line has the word {key}?',
  'Copy the line with {key}.',
  'Find the line that has {key} in it.',
  'Write the line in which {key} appears.',
  'Give me the line about {key}.',
  'Only the line with the word {key}, please.',
  'Return the one line that names {key}.',
  'Which of the lines says something about {key}?',
];

/** Lines, and the one that names a thing. */
export function findLine(draw: Draw, values: Values): Task {
  const keys = drawDistinct(draw.integer(2, 4), () => drawWord(draw, values));
  const taken = new Set(keys.map(key => key.toLowerCase()));
  const lines = keys.map(key => {
    const others = drawDistinct(draw.integer(2, 3), () => drawWord(draw, values));
    const words = others.filter(word => !taken.has(word.toLowerCase()));
    words.splice(draw.integer(0, words.length), 0, key);
    return words.join(' ');
  });
  const at = draw.integer(0, keys.length - 1);
  const only: Case = { input: lines.join('\n'), answer: lines[at]! };
  return { instructions: ODD_ONE, slots: { key: keys[at]! }, next: () => only };
}
