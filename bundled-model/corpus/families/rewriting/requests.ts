// Requests: what is asked for, the ways to ask for it, and when it is wanted.
import { readTexts } from '../../texts.js';
import data from './requests.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  /** What somebody is to do, as it follows "please". */
  VERB_PHRASES,
  /** When it is wanted; mostly nothing is said. */
  WHENS,
  /** Other ways to say the same, from rough to long; `{Vp}` begins a sentence. */
  ROUGH,
  PLAIN,
  LONG,
} = texts;

/** The one right form for each kind of instruction. */
export const TARGETS = {
  polite: 'Could you please {vp}?',
  short: '{Vp}.',
  formal: 'I would be grateful if you could {vp}.',
  friendly: 'Hi! Could you {vp}? Thank you so much!',
  question: 'Can you {vp}?',
  wish: 'I would like you to {vp}.',
} as const;

export type Manner = keyof typeof TARGETS;

export const MANNERS: Readonly<Record<Manner, readonly string[]>> = texts.MANNERS;
