// Office notes and short reports: one sentence matters, and the rest surrounds it.
import { readTexts } from '../../texts.js';
import type { Matter } from './mails.js';
import data from './notes.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  /** Things that break or need maintenance. */
  DEVICES,
  ASIDES,
} = texts;

export const NOTES: readonly Matter[] = texts.NOTES;
export const REPORTS: readonly Matter[] = texts.REPORTS;
