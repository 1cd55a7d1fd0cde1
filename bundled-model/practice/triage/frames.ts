// What stands around the problem of a message: how it opens, where the order number is, who signs.
import { readTexts } from '../../corpus/index.js';
import data from './frames.json' with { type: 'json' };

export const {
  OPENINGS,
  /** With the number of the order. */
  REFERENCED,
  /** Without one. */
  UNREFERENCED,
  /** Who writes. */
  SIGNED,
  /** Without a name. */
  UNSIGNED,
} = readTexts(data);
