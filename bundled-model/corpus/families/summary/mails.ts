// Mails about orders, bookings and accounts.
import { readTexts } from '../../texts.js';
import data from './mails.json' with { type: 'json' };
import type { Fact } from './purchases.js';

const texts = readTexts(data);

export const {
  GREETINGS,
  CLOSINGS,
  /** What people add; the summary leaves it out. */
  ASIDES,
} = texts;

/** A whole matter; the summary is a sentence. */
export type Matter = Fact & { subject: string };

export const MAILS: readonly Matter[] = texts.MAILS;
