// How a message combines an instruction with its text, and how it shows examples.
import { readTexts } from '../../texts.js';
import data from './layouts.json' with { type: 'json' };

export const {
  /** Both on one line. */
  INLINE,
  /** The text comes below. */
  BELOW,
  /** The text comes first. */
  ABOVE,
  /** The instruction in a system prompt. */
  SYSTEMS,
  /** The same for an instruction that has several lines or ends in a pattern. */
  SYSTEMS_APART,
  /** The user's message if the system prompt says what to do. */
  BARE,
  /** Another text for the same instruction. */
  NEXT,
  /** An example after the instruction. */
  EXAMPLES,
} = readTexts(data);
