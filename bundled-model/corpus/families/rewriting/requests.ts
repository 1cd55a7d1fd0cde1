// Requests: the thing to do, ways to ask for it, and by when.
import { readTexts } from '../../texts.js';
import data from './requests.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  /** The thing to do, as it follows "please". */
  VERB_PHRASES,
  /** By when; usually empty. */
  WHENS,
  /** Other ways to ask, from rough to long; `{Vp}` starts a sentence. */
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
