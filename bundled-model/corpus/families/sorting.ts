// Sorting or reversing short lists, or finding their first or last item. The answer is written the way the list was.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import type { Values } from '../values/index.js';
import { ask, type Case, type Task } from './asking/ask.js';
import { drawDistinct, drawNoun, drawPlainName } from './asking/content.js';
import * as wordings from './sorting/wordings.js';

const MARKS = [', ', ', ', ', ', ' ', '\n', '; ', ' - '];

/** The wanted items of a list, in the wanted order. */
type Order = (items: string[]) => string[];

const byAlphabet = (a: string, b: string) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);
const bySize = (a: string, b: string) => Number(a) - Number(b);

const wordsUp: Order = items => items.toSorted(byAlphabet);
const wordsDown: Order = items => items.toSorted(byAlphabet).reverse();
const numbersUp: Order = items => items.toSorted(bySize);
const numbersDown: Order = items => items.toSorted(bySize).reverse();
const backwards: Order = items => items.toReversed();
const first: Order = items => items.slice(0, 1);
const last: Order = items => items.slice(-1);

/** None if two have the same length. */
const longest: Order = items => {
  const [most, other] = items.toSorted((a, b) => b.length - a.length);
  return most!.length === other!.length ? [] : [most!];
};
const shortest: Order = items => {
  const [least, other] = items.toSorted((a, b) => a.length - b.length);
  return least!.length === other!.length ? [] : [least!];
};

type Kind = 'words' | 'numbers' | 'any';

interface Sorting {
  times: number;
  kind: Kind;
  order: Order;
  instructions: readonly string[];
  messages?: readonly string[];
}

const { MESSAGES } = wordings;

const SORTINGS: readonly Sorting[] = [
  { times: 4, kind: 'words', order: wordsUp, instructions: wordings.WORDS_UP, messages: MESSAGES.up },
  { times: 2, kind: 'words', order: wordsDown, instructions: wordings.WORDS_DOWN },
  { times: 4, kind: 'numbers', order: numbersUp, instructions: wordings.NUMBERS_UP, messages: MESSAGES.up },
  {
    times: 3,
    kind: 'numbers',
    order: numbersDown,
    instructions: wordings.NUMBERS_DOWN,
    messages: MESSAGES.down,
  },
  { times: 3, kind: 'any', order: backwards, instructions: wordings.REVERSE, messages: MESSAGES.back },
  { times: 1, kind: 'words', order: longest, instructions: wordings.LONGEST },
  { times: 1, kind: 'words', order: shortest, instructions: wordings.SHORTEST },
  { times: 2, kind: 'numbers', order: items => last(numbersUp(items)), instructions: wordings.BIGGEST },
  { times: 2, kind: 'numbers', order: items => first(numbersUp(items)), instructions: wordings.SMALLEST },
  { times: 1, kind: 'any', order: first, instructions: wordings.FIRST },
  { times: 1, kind: 'any', order: last, instructions: wordings.LAST },
  { times: 1, kind: 'words', order: items => first(wordsUp(items)), instructions: wordings.EARLIEST },
  { times: 1, kind: 'words', order: items => last(wordsUp(items)), instructions: wordings.LATEST },
];

const DECK = SORTINGS.flatMap(sorting => Array.from({ length: sorting.times }, () => sorting));

function toTask(draw: Draw, values: Values, { kind, order, instructions, messages }: Sorting): Task {
  const mark = draw.pick(MARKS);
  const drawList = toLists(draw, values, kind);
  const next = (): Case => {
    for (;;) {
      const items = drawList(draw.integer(3, 6));
      const ordered = order(items);
      if (ordered.length > 0) return { input: items.join(mark), answer: ordered.join(mark) };
    }
  };
  return { instructions, ...(messages && { messages }), next };
}

function toLists(draw: Draw, values: Values, kind: Kind): (count: number) => string[] {
  const high = draw.pick([20, 100, 100, 1000]);
  const drawNumbers = (count: number) =>
    draw.value(() => drawDistinct(count, () => String(draw.integer(0, high))).join(' ')).split(' ');
  if (kind === 'numbers' || (kind === 'any' && draw.chance(0.2))) return drawNumbers;
  const makers = [() => drawNoun(draw), () => drawNoun(draw), values.word, () => drawPlainName(values)];
  const make = draw.pick(kind === 'any' ? [...makers, values.code] : makers);
  return count => drawDistinct(count, make);
}

export const sorting: Family = {
  name: 'sorting',
  weight: 1,
  score: 'exact',
  make: (draw, values) => ask(draw, toTask(draw, values, draw.pick(DECK))),
};
