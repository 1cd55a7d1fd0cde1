// Text around the problem in a message: the opening, the order number, the signature.
import { readTexts } from '../../corpus/index.js';
import data from './frames.json' with { type: 'json' };

export const {
  OPENINGS,
  /** With the order number. */
  REFERENCED,
  /** Without one. */
  UNREFERENCED,
  /** With a signature. */
  SIGNED,
  /** Without a name. */
  UNSIGNED,
} = readTexts(data);
