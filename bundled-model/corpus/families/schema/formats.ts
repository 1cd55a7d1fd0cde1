// Output formats, invented for each conversation.
import type { Maker } from './format.js';
import { call, markup, prose, table } from './markup.js';
import { list, mixedRow, pairs, row } from './rows.js';

const MAKERS: readonly { weight: number; make: Maker }[] = [
  { weight: 5, make: row },
  { weight: 5, make: mixedRow },
  { weight: 6, make: pairs },
  { weight: 2.5, make: list },
  { weight: 2.5, make: markup },
  { weight: 2.5, make: call },
  { weight: 1.5, make: table },
  { weight: 1, make: prose },
];

export const makeFormat: Maker = (draw, values, keys) => draw.weighted(MAKERS).make(draw, values, keys);
