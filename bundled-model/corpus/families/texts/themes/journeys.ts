// Travel: what travellers write, and notes of those who look after them.
import { readTexts } from '../../../texts.js';
import { toTheme } from '../theme.js';
import data from './journeys.json' with { type: 'json' };

const texts = readTexts(data);

export const travel = toTheme(texts.travel);
export const trip = toTheme(texts.trip);
