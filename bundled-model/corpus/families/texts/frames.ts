// Text around the main content: greetings, introductions, contact details, sign-offs. It fits every theme.
import { readTexts } from '../../texts.js';
import data from './frames.json' with { type: 'json' };

export const {
  GREETINGS,
  INTRODUCTIONS,
  CONTACTS,
  /** Remarks that answer no question. */
  REMARKS,
  SIGN_OFFS,
} = readTexts(data);
