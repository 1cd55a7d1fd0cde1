// How urgent a message is, from 1 to 3.
import { readTexts } from '../../corpus/index.js';
import data from './urgency.json' with { type: 'json' };

export const { WISHES } = readTexts(data);

export const WHEN = {
  1: ['whenever you like', 'when you have time', 'some time next month', 'when it suits you'],
  2: ['this week', 'soon', 'in the next days', 'before the weekend'],
  3: ['today', 'at once', 'immediately', 'right now'],
} as const;

type Heat = keyof typeof WHEN;
export const HEATS: readonly Heat[] = [1, 2, 3];
