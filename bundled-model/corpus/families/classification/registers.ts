// Texts that differ in how they say something: formality, tense, purpose.
import { readTexts } from '../../texts.js';
import data from './registers.json' with { type: 'json' };

export const { FORMAL, INFORMAL, PAST, PRESENT, FUTURE, ASKING, TELLING, THANKING, APOLOGIZING } =
  readTexts(data);
