// An output format, and functions that make one.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';

export interface Format {
  /** Whether keys come before the values. */
  hasKeys: boolean;
  /** The only text between any two values. */
  sign?: string;
  render(cells: readonly string[]): string;
}

export type Maker = (draw: Draw, values: Values, keys: readonly string[]) => Format;
