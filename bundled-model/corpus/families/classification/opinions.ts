// Texts that show an opinion, or how urgent they are.
import { readTexts } from '../../texts.js';
import data from './opinions.json' with { type: 'json' };

export const { POSITIVE, NEGATIVE, NEUTRAL, URGENT, CALM, SPAM, WANTED } = readTexts(data);
