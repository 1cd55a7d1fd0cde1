// School, sport, letters and clubs.
import { readTexts } from '../../../texts.js';
import data from './doings.json' with { type: 'json' };

const texts = readTexts(data);

export const DOINGS: readonly (readonly string[])[] = texts.DOINGS;
