import { readTexts } from '../../texts.js';
import data from './phrases.json' with { type: 'json' };

export const {
  /** The system prompt, first sentence. */
  DESKS,
  /** The system prompt, how to answer. */
  MANNERS,
  LEADS,
  TAILS,
  /** Only where the system prompt names a company. */
  whoAnswers,
  hello,
  thanks,
  /** What the user says when asked for the number. */
  givesNumber,
} = readTexts(data);
