// Things of a kind. Answers take the first ones of a row, so that there is one right answer.
import { readTexts } from '../../texts.js';
import data from './rows.json' with { type: 'json' };

const texts = readTexts(data);

/** Ten of each kind. */
export const ROWS: Readonly<Record<string, readonly string[]>> = texts.ROWS;
