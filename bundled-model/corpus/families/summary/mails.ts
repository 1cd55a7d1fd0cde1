// Emails about orders, bookings and accounts.
import { readTexts } from '../../texts.js';
import data from './mails.json' with { type: 'json' };
import type { Fact } from './purchases.js';

const texts = readTexts(data);

export const {
  GREETINGS,
  CLOSINGS,
  /** Asides that the summary leaves out. */
  ASIDES,
} = texts;

/** Complete subjects; the summary is a sentence. */
export type Matter = Fact & { subject: string };

export const MAILS: readonly Matter[] = texts.MAILS;
