// Things to buy, lend and lose. Each starts with a consonant, so that "a" fits.
import { readTexts } from '../../texts.js';
import data from './items.json' with { type: 'json' };

export const { ITEMS } = readTexts(data);
