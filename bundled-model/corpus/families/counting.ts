// Counting words, letters, items of a list, or occurrences of one thing. The answer is just the number.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import type { Values } from '../values/index.js';
import { ask, type Task } from './asking/ask.js';
import { drawDistinct, drawNoun, drawPlainName, drawSentence, drawWord } from './asking/content.js';
import { PLAIN_SENTENCES } from './asking/sentences.js';
import * as wordings from './counting/wordings.js';

type Counting = (draw: Draw, values: Values) => Task;

const drawWords = (draw: Draw, values: Values, low: number, high: number) =>
  Array.from({ length: draw.integer(low, high) }, () => drawWord(draw, values));

const countWords: Counting = (draw, values) => ({
  instructions: wordings.WORDS,
  messages: wordings.WORDS_MESSAGES,
  next: () => {
    const input = draw.chance(0.3)
      ? drawSentence(draw, values, PLAIN_SENTENCES)
      : drawWords(draw, values, 2, 12).join(' ');
    return { input, answer: String(input.split(' ').length) };
  },
});

const countLetters: Counting = (draw, values) => ({
  instructions: wordings.LETTERS,
  messages: wordings.LETTERS_MESSAGES,
  next: () => {
    const input = drawWord(draw, values);
    return { input, answer: String(input.length) };
  },
});

const countItems: Counting = (draw, values) => {
  const between = draw.pick([', ', ', ', '; ', ' / ', ' and ']);
  const next = () => {
    const items = drawDistinct(draw.integer(2, 9), () => drawWord(draw, values));
    return { input: items.join(between), answer: String(items.length) };
  };
  return { instructions: wordings.ITEMS, messages: wordings.ITEMS_MESSAGES, next };
};

const countTimes: Counting = (draw, values) => {
  const make = draw.pick([() => drawNoun(draw), values.word, () => drawPlainName(values)]);
  const kinds = drawDistinct(draw.integer(2, 3), make);
  const next = () => {
    const others = Array.from({ length: draw.integer(2, 6) }, () => draw.pick(kinds));
    const items = draw.shuffle([kinds[0]!, ...others]);
    const count = items.filter(item => item === kinds[0]).length;
    return { input: items.join(', '), answer: String(count) };
  };
  return {
    instructions: wordings.TIMES,
    messages: wordings.TIMES_MESSAGES,
    slots: { item: kinds[0]! },
    next,
  };
};

const countLetter: Counting = (draw, values) => {
  const drawLower = () => (draw.chance(0.5) ? drawNoun(draw) : values.word());
  const words = [drawLower()];
  const item = draw.pick([...(draw.chance(0.8) ? words[0]! : drawLower())]);
  const next = () => {
    const input = words.pop() ?? drawLower();
    return { input, answer: String(input.split(item).length - 1) };
  };
  return {
    instructions: wordings.LETTER_TIMES,
    messages: wordings.LETTER_TIMES_MESSAGES,
    slots: { item },
    next,
  };
};

const countStarting: Counting = (draw, values) => {
  const word = drawNoun(draw);
  const item = word[0]!;
  const next = () => {
    const nouns = drawDistinct(draw.integer(2, 6), () => (draw.chance(0.3) ? values.word() : drawNoun(draw)));
    const words = draw.chance(0.85) && !nouns.includes(word) ? draw.shuffle([...nouns, word]) : nouns;
    return { input: words.join(', '), answer: String(words.filter(each => each.startsWith(item)).length) };
  };
  return { instructions: wordings.STARTING, slots: { item }, next };
};

const countNumbers: Counting = (draw, values) => ({
  instructions: wordings.NUMBERS,
  next: () => {
    const numbers = Array.from({ length: draw.integer(1, 5) }, () =>
      draw.value(() => String(draw.integer(1, 999))),
    );
    const entries = draw.shuffle([...numbers, ...drawWords(draw, values, 1, 5)]);
    return { input: entries.join(' '), answer: String(numbers.length) };
  },
});

const countLines: Counting = (draw, values) => ({
  instructions: wordings.LINES,
  next: () => {
    const lines = Array.from({ length: draw.integer(2, 9) }, () => drawWords(draw, values, 1, 3).join(' '));
    return { input: lines.join('\n'), answer: String(lines.length) };
  },
});

/** The count is in the text and only has to be found. */
const findCount: Counting = (draw, values) => {
  const nouns = drawDistinct(draw.integer(2, 4), values.word);
  const item = draw.pick(nouns);
  const next = () => {
    const counts = nouns.map(() => String(draw.integer(2, 20)));
    const listed = nouns.map((noun, i) => `${counts[i]} ${noun}`);
    return { input: listed.join(draw.pick([', ', ' and ', '; '])), answer: counts[nouns.indexOf(item)]! };
  };
  return { instructions: wordings.WHO, slots: { item }, next };
};

const DECK: readonly Counting[] = [
  ...[countWords, countWords, countWords, countLetters, countLetters, countItems, countItems, countItems],
  ...[countTimes, countTimes, countTimes, countLetter, countLetter, countStarting, countNumbers, countLines],
  findCount,
];

export const counting: Family = {
  name: 'counting',
  weight: 1,
  score: 'exact',
  make: (draw, values) => ask(draw, draw.pick(DECK)(draw, values)),
};
