// Repeating a text unchanged, in another case, or between marks.
import type { Draw } from '../../draw.js';
import { readTexts } from '../../texts.js';
import type { Values } from '../../values/index.js';
import type { Task } from '../asking/ask.js';
import { drawWord } from '../asking/content.js';
import data from './repeating.json' with { type: 'json' };
import { drawLine } from './texts.js';

const { REPEAT, REPEAT_MESSAGES, WRAP, WRAP_MESSAGES, CASES, CASE_MESSAGES, UPPER, TIMES, TIMES_MESSAGES } =
  readTexts(data);

export function repeat(draw: Draw, values: Values): Task {
  const next = () => {
    const input = drawLine(draw, values);
    return { input, answer: input };
  };
  return { instructions: REPEAT, messages: REPEAT_MESSAGES, next };
}

const MARKS: readonly (readonly [string, string, string])[] = [
  ['double quotes', '"', '"'],
  ['quotation marks', '"', '"'],
  ['single quotes', "'", "'"],
  ['brackets', '(', ')'],
  ['square brackets', '[', ']'],
  ['curly brackets', '{', '}'],
  ['angle brackets', '<', '>'],
  ['stars', '*', '*'],
  ['double stars', '**', '**'],
  ['hash signs', '#', '#'],
  ['slashes', '/', '/'],
  ['dashes', '-', '-'],
];

export function wrap(draw: Draw, values: Values): Task {
  const [marks, open, close] = draw.pick(MARKS);
  const next = () => {
    const input = drawLine(draw, values);
    return { input, answer: open + input + close };
  };
  return { instructions: WRAP, messages: WRAP_MESSAGES, slots: { marks }, next };
}

const LOWER = ['small letters', 'lower case', 'lowercase letters'];

export function changeCase(draw: Draw, values: Values): Task {
  const upper = draw.chance(0.5);
  const next = () => {
    const input = upper || draw.chance(0.6) ? drawLine(draw, values) : drawLine(draw, values).toUpperCase();
    return { input, answer: upper ? input.toUpperCase() : input.toLowerCase() };
  };
  return {
    instructions: CASES,
    messages: CASE_MESSAGES,
    slots: { letters: draw.pick(upper ? UPPER : LOWER) },
    next,
  };
}

const BETWEEN: readonly (readonly [string, string])[] = [
  ['a space', ' '],
  ['a comma', ', '],
  ['a dash', '-'],
  ['a slash', '/'],
  ['a plus sign', '+'],
];

export function repeatTimes(draw: Draw, values: Values): Task {
  const count = draw.integer(2, 5);
  const [mark, between] = draw.pick(BETWEEN);
  const next = () => {
    const input = draw.chance(0.3) ? values.code() : drawWord(draw, values);
    return { input, answer: Array.from({ length: count }, () => input).join(between) };
  };
  const times = ['two times', 'three times', 'four times', 'five times'][count - 2]!;
  return { instructions: TIMES, messages: TIMES_MESSAGES, slots: { times, mark }, next };
}
