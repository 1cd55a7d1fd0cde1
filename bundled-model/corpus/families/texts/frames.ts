// What stands around the matter of a text: greetings, who writes, how to reach them, goodbyes. It fits every theme.
import { readTexts } from '../../texts.js';
import data from './frames.json' with { type: 'json' };

export const {
  GREETINGS,
  INTRODUCTIONS,
  CONTACTS,
  /** They say nothing that is asked for. */
  REMARKS,
  SIGN_OFFS,
} = readTexts(data);
