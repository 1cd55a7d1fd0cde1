// Exact work on arbitrary texts. Only copying gives the right answer, so the model learns to copy.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import type { Values } from '../values/index.js';
import { ask, type Task } from './asking/ask.js';
import { add, removeWord, replaceWord, stripDashes, swap, tidySpaces } from './copying/editing.js';
import { join, spell, toLines, toOneLine, unspell } from './copying/joining.js';
import { dropPlace, findInside, findLine, lookUp, pickWord } from './copying/picking.js';
import { changeCase, repeat, repeatTimes, wrap } from './copying/repeating.js';
import { fillForm, fillPattern } from './copying/templates.js';

type Operation = (draw: Draw, values: Values) => Task;

/** The operations that train copying best come up most. */
const OPERATIONS: readonly (readonly [number, Operation])[] = [
  [12, repeat],
  [4, wrap],
  [3, changeCase],
  [2, repeatTimes],
  [5, replaceWord],
  [3, removeWord],
  [3, add],
  [3, swap],
  [1, stripDashes],
  [1, tidySpaces],
  [4, pickWord],
  [2, dropPlace],
  [4, findInside],
  [5, lookUp],
  [2, findLine],
  [3, join],
  [3, toLines],
  [1, toOneLine],
  [2, spell],
  [1, unspell],
  [5, fillForm],
  [3, fillPattern],
];

const DECK = OPERATIONS.flatMap(([times, operation]) => Array.from({ length: times }, () => operation));

export const copying: Family = {
  name: 'copying',
  weight: 6,
  score: 'exact',
  make: (draw, values) => ask(draw, draw.pick(DECK)(draw, values)),
};
