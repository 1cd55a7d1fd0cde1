// Family names from many cultures.
import { readTexts } from '../../texts.js';
import data from './surnames.json' with { type: 'json' };

export const { SURNAMES } = readTexts(data);
