// Texts that show how something is said: formally or not, of which time, and to what end.
import { readTexts } from '../../texts.js';
import data from './registers.json' with { type: 'json' };

export const { FORMAL, INFORMAL, PAST, PRESENT, FUTURE, ASKING, TELLING, THANKING, APOLOGIZING } =
  readTexts(data);
