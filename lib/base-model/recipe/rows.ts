// Numbered conversations as rows of tokens.
import { createRandom } from '../../engine/random/index.js';
import type { ModelText } from '../../engine/text/index.js';
import type { Example } from '../../engine/train/index.js';
import { makeConversation, type Part } from '../corpus/index.js';
import { LONGEST, SEED, TRAINING } from './settings.js';

const SUPERVISION = 7;

/** The rows of a step, counted from 0: no conversation comes twice. */
export function rowsOfStep(text: ModelText, step: number): Example[] {
  const first = step * TRAINING.rowsPerStep;
  return Array.from({ length: TRAINING.rowsPerStep }, (_, i) => toRow(text, 'train', first + i));
}

/** What the assistant says in conversations whose wordings and values are held out. */
export function heldOutRows(text: ModelText, count: number): Example[] {
  return Array.from({ length: count }, (_, i) => toRow(text, 'held-out', i));
}

function toRow(text: ModelText, part: Part, number: number): Example {
  const whole = part === 'train' && createRandom(SEED, SUPERVISION, number).next() * 100 < TRAINING.wholeRows;
  // One that is too long gives way to another of the same number.
  for (let seed = SEED; ; seed += 1000) {
    const { messages } = makeConversation(part, seed, number);
    const row = text.encodeRow({ messages }, { trainOn: whole ? 'all' : 'assistant' });
    if (row.ids.length <= LONGEST) return row;
  }
}
