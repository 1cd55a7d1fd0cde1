// What an output format is, and what makes one.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';

export interface Format {
  /** Whether keys stand before the values. */
  hasKeys: boolean;
  /** What stands between any two values, and nothing else does. */
  sign?: string;
  render(cells: readonly string[]): string;
}

export type Maker = (draw: Draw, values: Values, keys: readonly string[]) => Format;
