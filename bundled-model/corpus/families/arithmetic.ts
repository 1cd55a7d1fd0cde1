// Mental arithmetic: small numbers, tables, comparisons, short stories. The answer is just the number, or one sentence
// for a story.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import { fill } from '../fill.js';
import { addTypos } from '../noise.js';
import type { Values } from '../values/index.js';
import {
  drawDouble,
  drawPair,
  drawProblem,
  drawSequence,
  drawThree,
  type Operation,
} from './arithmetic/problems.js';
import { COMPARISONS, STORIES, THINGS } from './arithmetic/stories.js';
import * as wordings from './arithmetic/wordings.js';
import { ask, type Case, type Task } from './asking/ask.js';
import { drawDistinct } from './asking/content.js';

type Exercise = (draw: Draw, values: Values) => Task;
type Numbers = Readonly<Record<string, number | string>>;

const OPERATIONS: readonly Operation[] = [
  'plus',
  'plus',
  'plus',
  'minus',
  'minus',
  'minus',
  'times',
  'times',
  'parts',
];

const SIGNS: Readonly<Record<Operation, readonly string[]>> = {
  plus: [' + ', ' + ', '+', ' plus '],
  minus: [' - ', ' - ', '-', ' minus '],
  times: [' x ', ' * ', '*', ' times '],
  parts: [' / ', ' : ', '/', ' divided by '],
};

const expression: Exercise = draw => {
  const operation = draw.pick(OPERATIONS);
  const sign = draw.pick(SIGNS[operation]);
  const next = () => {
    const { a, b, result } = drawProblem(draw, operation);
    return { input: a + sign + b, answer: String(result) };
  };
  return { instructions: wordings.CALCULATE, messages: wordings.CALCULATE_MESSAGES, next };
};

const chain: Exercise = draw => ({
  instructions: wordings.CALCULATE,
  messages: wordings.CALCULATE_MESSAGES,
  next: () => {
    const { numbers, isLess, result } = drawThree(draw);
    return {
      input: `${numbers[0]} + ${numbers[1]} ${isLess ? '-' : '+'} ${numbers[2]}`,
      answer: String(result),
    };
  },
});

/** A question that stands alone; all its cases use the same wording. */
function question(
  draw: Draw,
  templates: readonly string[],
  make: () => { numbers: Numbers; answer: number | string },
  instructions: readonly string[] = wordings.NUMBER_ONLY,
): Task {
  const next = () => {
    const { numbers, answer } = make();
    return { input: fill(addTypos(draw, draw.wording(templates)), toTexts(numbers)), answer: String(answer) };
  };
  return { instructions, asksItself: true, next };
}

const toTexts = (numbers: Numbers) =>
  Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, String(number)]));

const QUESTIONS = {
  plus: wordings.PLUS,
  minus: wordings.MINUS,
  times: wordings.TIMES,
  parts: wordings.PARTS,
};

const inWords: Exercise = draw => {
  const operation = draw.pick(OPERATIONS);
  return question(draw, QUESTIONS[operation], () => {
    const { a, b, result } = drawProblem(draw, operation);
    return { numbers: { a, b }, answer: result };
  });
};

const missing: Exercise = draw =>
  question(draw, wordings.MISSING, () => {
    const { a, b, result } = drawProblem(draw, 'minus', 1);
    return { numbers: { a, b }, answer: result };
  });

const doubleOrHalf: Exercise = draw => {
  const isDouble = draw.chance(0.5);
  return question(draw, isDouble ? wordings.DOUBLE : wordings.HALF, () => {
    const { a, result } = drawDouble(draw);
    return isDouble ? { numbers: { a }, answer: result } : { numbers: { a: result }, answer: a };
  });
};

const compare: Exercise = draw => {
  const isMore = draw.chance(0.5);
  return question(draw, isMore ? wordings.BIGGER : wordings.SMALLER, () => {
    const [a, b] = drawPair(draw);
    return { numbers: { a, b }, answer: isMore ? Math.max(a, b) : Math.min(a, b) };
  });
};

const yesOrNo: Exercise = draw => {
  const isMore = draw.chance(0.5);
  const make = () => {
    const [a, b] = drawPair(draw);
    return { numbers: { a, b }, answer: (isMore ? a > b : a < b) ? 'Yes' : 'No' };
  };
  return question(draw, isMore ? wordings.IS_MORE : wordings.IS_LESS, make, wordings.YES_OR_NO);
};

const sequence: Exercise = draw =>
  question(draw, wordings.NEXT, () => {
    const { numbers, result } = drawSequence(draw);
    return { numbers: { list: numbers.join(', ') }, answer: result };
  });

/** The answer is just the number if the prompt asks for that. */
const story: Exercise = (draw, values) => {
  const operation = draw.pick(OPERATIONS);
  const isNumber = draw.chance(0.3);
  const next = () => {
    const { a, b, result } = drawProblem(draw, operation, 2);
    const told = tell(draw, values, STORIES[operation], { a, b, c: result, total: 2 * a });
    return isNumber ? { ...told, answer: String(result) } : told;
  };
  return isNumber
    ? { instructions: wordings.NUMBER_ONLY, next }
    : { instructions: wordings.SHORT_SENTENCE, asksItself: true, next };
};

const comparison: Exercise = (draw, values) => ({
  instructions: wordings.SHORT_SENTENCE,
  asksItself: true,
  next: () => {
    const [a, b] = drawPair(draw);
    return tell(draw, values, COMPARISONS, { a: a + 2, b: b + 2 });
  },
});

function tell(draw: Draw, values: Values, stories: readonly string[], numbers: Record<string, number>): Case {
  const [name, name2] = drawDistinct(2, values.firstName) as [string, string];
  const [more, less] = numbers.a! > numbers.b! ? [name, name2] : [name2, name];
  const named = { ...toTexts(numbers), name, name2, more, less, things: draw.value(THINGS) };
  const [input, answer] = draw.wording(stories).split('|') as [string, string];
  return { input: fill(input, named), answer: fill(answer, named) };
}

const DECK: readonly Exercise[] = [
  ...[expression, expression, expression, expression, inWords, inWords, inWords, story, story, story, story],
  ...[chain, missing, doubleOrHalf, compare, compare, yesOrNo, sequence, comparison],
];

export const arithmetic: Family = {
  name: 'arithmetic',
  weight: 1,
  score: 'exact',
  make: (draw, values) => ask(draw, draw.pick(DECK)(draw, values)),
};
