// What it can and cannot do, and that it makes mistakes.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './abilities.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  /** After "can you" and "to". */
  ABLE,
  UNABLE,
} = texts;

export const ABILITIES: readonly Intent[] = Object.values(texts.ABILITIES);
