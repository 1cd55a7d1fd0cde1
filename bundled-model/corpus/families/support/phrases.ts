import { readTexts } from '../../texts.js';
import data from './phrases.json' with { type: 'json' };

export const {
  /** First sentence of the system prompt. */
  DESKS,
  /** How to answer, for the system prompt. */
  MANNERS,
  LEADS,
  TAILS,
  /** Only where the system prompt names a company. */
  whoAnswers,
  hello,
  thanks,
  /** The user's reply when asked for the number. */
  givesNumber,
} = readTexts(data);
