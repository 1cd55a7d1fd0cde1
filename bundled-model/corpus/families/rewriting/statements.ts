// Statements from an office or a shop, in three tones.
import { readTexts } from '../../texts.js';
import data from './statements.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  /** `plain | casual | formal | friendly` */
  STATEMENTS,
} = texts;

export type Tone = 'plain' | 'formal' | 'friendly';

export const TONES: Readonly<Record<Tone, readonly string[]>> = texts.TONES;
