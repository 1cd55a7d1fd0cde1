// How an instruction and the text that it is about stand together in a message, and how examples are shown.
import { readTexts } from '../../texts.js';
import data from './layouts.json' with { type: 'json' };

export const {
  /** Both are one line. */
  INLINE,
  /** The text comes below. */
  BELOW,
  /** The text comes first. */
  ABOVE,
  /** How the instruction stands in a system prompt. */
  SYSTEMS,
  /** The same for an instruction of several lines, or one that ends in a pattern. */
  SYSTEMS_APART,
  /** What the user sends when the system prompt says what to do. */
  BARE,
  /** One more text for the same instruction. */
  NEXT,
  /** An example after the instruction. */
  EXAMPLES,
} = readTexts(data);
