// Changing only what is between the pieces: joined, split, one per line, numbered, spelled.
import type { Draw } from '../../draw.js';
import { readTexts } from '../../texts.js';
import type { Values } from '../../values/index.js';
import type { Task } from '../asking/ask.js';
import { drawDistinct, drawToken, drawWithout, drawWord } from '../asking/content.js';
import data from './joining.json' with { type: 'json' };
import { drawTokens, drawWords } from './texts.js';

const { JOIN, JOIN_MESSAGES, SPLIT, BULLETS, NUMBERS, TO_ONE, SPELL, SPELL_MESSAGES, UNSPELL } =
  readTexts(data);

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

export function join(draw: Draw, values: Values): Task {
  const [marks, between] = draw.pick(MARKS);
  const next = () => {
    const words = drawWords(draw, values, 2, 6);
    return { input: words.join(' '), answer: words.join(between) };
  };
  return { instructions: JOIN, messages: JOIN_MESSAGES, slots: { marks }, next };
}

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

export function toOneLine(draw: Draw, values: Values): Task {
  const next = () => {
    const items = (draw.chance(0.6) ? drawWords : drawTokens)(draw, values, 2, 5);
    return { input: items.join('\n'), answer: items.join(', ') };
  };
  return { instructions: TO_ONE, next };
}

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

export function unspell(draw: Draw, values: Values): Task {
  const between = draw.pick(['-', ' ', ', ', '.']);
  const next = () => {
    const answer = drawWord(draw, values);
    return { input: [...answer].join(between), answer };
  };
  return { instructions: UNSPELL, next };
}
