// Given names from many cultures, with their accents.
import { readTexts } from '../../texts.js';
import data from './first-names.json' with { type: 'json' };

export const { FIRST_NAMES } = readTexts(data);
