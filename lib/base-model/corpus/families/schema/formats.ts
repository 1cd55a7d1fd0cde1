// Output formats, made up anew for each conversation.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import { call, markup, prose, table } from './markup.js';
import { list, mixedRow, pairs, row } from './rows.js';

export interface Format {
  /** Whether keys stand before the values. */
  hasKeys: boolean;
  /** What stands between any two values, and nothing else does. */
  sign?: string;
  render(cells: readonly string[]): string;
}

export type Maker = (draw: Draw, values: Values, keys: readonly string[]) => Format;

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
