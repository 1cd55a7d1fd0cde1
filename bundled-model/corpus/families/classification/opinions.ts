// Texts that show what somebody thinks and how much they hurry.
import { readTexts } from '../../texts.js';
import data from './opinions.json' with { type: 'json' };

export const { POSITIVE, NEGATIVE, NEUTRAL, URGENT, CALM, SPAM, WANTED } = readTexts(data);
