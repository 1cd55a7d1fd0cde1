// Frames that tell nothing about the value in them: a person may stand there, or an address, a number, a street. The
// other places hold plain words.
import { readTexts } from '../../corpus/index.js';
import data from './sentences-of-any.json' with { type: 'json' };

export const {
  /** `x` is a value of any kind. */
  ONE_OF_ANY,
  /** `y` is one of another kind. */
  TWO_OF_ANY,
  /** Nothing to hide. */
  PLAIN,
} = readTexts(data);
