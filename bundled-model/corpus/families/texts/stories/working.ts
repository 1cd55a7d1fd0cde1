// Who works where, and what happens there.
import { readTexts } from '../../../texts.js';
import data from './working.json' with { type: 'json' };

const texts = readTexts(data);

export const WORKING: readonly (readonly string[])[] = texts.WORKING;
