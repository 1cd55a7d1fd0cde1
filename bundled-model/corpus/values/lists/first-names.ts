// Given names of many cultures; spelled as people write them, accents included.
import { readTexts } from '../../texts.js';
import data from './first-names.json' with { type: 'json' };

export const { FIRST_NAMES } = readTexts(data);
