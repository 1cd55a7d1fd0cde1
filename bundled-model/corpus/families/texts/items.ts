// Things that are bought, lent and lost. Each begins with a consonant, so that "a" fits.
import { readTexts } from '../../texts.js';
import data from './items.json' with { type: 'json' };

export const { ITEMS } = readTexts(data);
