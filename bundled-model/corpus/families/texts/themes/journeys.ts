// Travel: messages from travelers, and notes by their hosts and guides.
import { readTexts } from '../../../texts.js';
import { toTheme } from '../theme.js';
import data from './journeys.json' with { type: 'json' };

const texts = readTexts(data);

export const travel = toTheme(texts.travel);
export const trip = toTheme(texts.trip);
