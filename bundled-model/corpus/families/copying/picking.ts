// Picking one part of a text: a word by its place, the text between marks, or the entry for a name.
import type { Draw } from '../../draw.js';
import { readTexts } from '../../texts.js';
import type { Values } from '../../values/index.js';
import type { Case, Task } from '../asking/ask.js';
import { drawDistinct, drawNoun, drawSentence, drawToken, drawWithout, drawWord } from '../asking/content.js';
import { PLAIN_SENTENCES } from '../asking/sentences.js';
import data from './picking.json' with { type: 'json' };
import { drawWords } from './texts.js';

const { PLACE, PLACE_MESSAGES, EXCEPT, INSIDE, INSIDE_MESSAGES, LOOKUP, ODD_ONE } = readTexts(data);

const PLACES: readonly (readonly [string, number])[] = [
  ['first', 0],
  ['first', 0],
  ['second', 1],
  ['third', 2],
  ['last', -1],
  ['last', -1],
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

/** A list of pairs, and a question about one of them. */
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

/** Lines, and a question about the one that names a thing. */
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
