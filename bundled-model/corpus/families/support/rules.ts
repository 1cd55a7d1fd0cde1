// Facts about a company in the system prompt, times and costs first. The answer must use them.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './rules.json' with { type: 'json' };

/** A rule of a company. */
export interface Rule extends Intent {
  /** As the system prompt states it. */
  states: readonly string[];
  /** The answer if the system prompt does not say. */
  unknown: string;
}

export const TERMS: readonly Rule[] = Object.values(readTexts(data));
