// Frames that reveal nothing about the value in them: it can be a person, an address, a number or a street. The other
// slots hold plain words.
import { readTexts } from '../../corpus/index.js';
import data from './sentences-of-any.json' with { type: 'json' };

export const {
  /** `x` is a value of any kind. */
  ONE_OF_ANY,
  /** `y` is a value of another kind. */
  TWO_OF_ANY,
  /** Nothing to hide. */
  PLAIN,
} = readTexts(data);
