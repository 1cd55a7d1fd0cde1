// What the system prompt says about a company, times and costs first: the answer must use it.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './rules.json' with { type: 'json' };

/** A rule of a company. */
export interface Rule extends Intent {
  /** As the system prompt has it. */
  states: readonly string[];
  /** What is answered when the system prompt does not say. */
  unknown: string;
}

export const TERMS: readonly Rule[] = Object.values(readTexts(data));
