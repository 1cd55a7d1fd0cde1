// Repeating a text with one small change.
import type { Draw } from '../../draw.js';
import { readTexts } from '../../texts.js';
import type { Values } from '../../values/index.js';
import type { Case, Task } from '../asking/ask.js';
import { drawDistinct, drawSentence, drawToken, drawWithout, drawWord } from '../asking/content.js';
import { PLAIN_SENTENCES } from '../asking/sentences.js';
import data from './editing.json' with { type: 'json' };
import { drawLine, drawWords } from './texts.js';

const {
  REPLACE,
  REPLACE_MESSAGES,
  REMOVE,
  REMOVE_MESSAGES,
  PREPEND,
  APPEND,
  SWAP,
  SWAP_MESSAGES,
  STRIP,
  TIDY,
} = readTexts(data);

/** A row of distinct words. */
function drawRow(draw: Draw, values: Values): string[] {
  if (draw.chance(0.5)) return drawWords(draw, values, 3, 7);
  for (;;) {
    const words = drawSentence(draw, values, PLAIN_SENTENCES).split(' ');
    if (new Set(words).size === words.length) return words;
  }
}

const toOnce = (make: () => Case): (() => Case) => {
  const only = make();
  return () => only;
};

export function replaceWord(draw: Draw, values: Values): Task {
  const words = drawRow(draw, values);
  const old = draw.pick(words);
  const [replacement] = drawDistinct(1, () => drawWord(draw, values));
  const answer = words.map(word => (word === old ? replacement! : word)).join(' ');
  const next = toOnce(() => ({ input: words.join(' '), answer }));
  return {
    instructions: REPLACE,
    messages: REPLACE_MESSAGES,
    slots: { old, new: replacement! },
    next,
  };
}

export function removeWord(draw: Draw, values: Values): Task {
  const words = drawRow(draw, values);
  const word = draw.pick(words);
  const next = toOnce(() => ({
    input: words.join(' '),
    answer: words.filter(other => other !== word).join(' '),
  }));
  return { instructions: REMOVE, messages: REMOVE_MESSAGES, slots: { word }, next };
}

/** Before or after, with a space between. */
export function add(draw: Draw, values: Values): Task {
  const before = draw.chance(0.5);
  const addition = draw.chance(0.5) ? drawWord(draw, values) : drawToken(draw, values);
  const next = () => {
    const input = draw.chance(0.5) ? drawToken(draw, values) : drawRow(draw, values).join(' ');
    return { input, answer: before ? `${addition} ${input}` : `${input} ${addition}` };
  };
  return { instructions: before ? PREPEND : APPEND, slots: { addition }, next };
}

export function swap(draw: Draw, values: Values): Task {
  const between = draw.pick([' and ', ' or ', ' / ', ', ', ' - ', ' = ', ' : ', ' before ', ' > ']);
  const next = () => {
    const draws = draw.chance(0.6) ? drawWord : drawToken;
    const [left, right] = drawDistinct(2, () => drawWithout(between, () => draws(draw, values)));
    return { input: left + between + right, answer: right + between + left };
  };
  return { instructions: SWAP, messages: SWAP_MESSAGES, next };
}

export function stripDashes(_: Draw, values: Values): Task {
  const next = () => {
    for (;;) {
      const input = values.code();
      if (input.includes('-')) return { input, answer: input.replaceAll('-', '') };
    }
  };
  return { instructions: STRIP, next };
}

export function tidySpaces(draw: Draw, values: Values): Task {
  const next = () => {
    const answer = drawLine(draw, values);
    return { input: answer.replace(/ /g, () => ' '.repeat(draw.integer(1, 3))), answer };
  };
  return { instructions: TIDY, next };
}
