// Sounds that invented words are made of.
import { readTexts } from '../../texts.js';
import data from './syllables.json' with { type: 'json' };

export const { ONSETS, VOWELS, CODAS, ENDINGS } = readTexts(data);
