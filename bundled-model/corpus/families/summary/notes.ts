// Notes in an office, and short reports: what matters is one sentence, and the rest is around it.
import { readTexts } from '../../texts.js';
import type { Matter } from './mails.js';
import data from './notes.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  /** What breaks or is looked after. */
  DEVICES,
  ASIDES,
} = texts;

export const NOTES: readonly Matter[] = texts.NOTES;
export const REPORTS: readonly Matter[] = texts.REPORTS;
