// Numbered conversations as rows of tokens.
import { createRandom } from '../../lib/engine/random.js';
import type { ModelText } from '../../lib/engine/text/index.js';
import type { Example } from '../../lib/engine/train/index.js';
import { makeConversation, type Part } from '../corpus/index.js';
import { CYCLES, type Cycle, LONGEST, SEED } from './settings.js';

const SUPERVISION = 7;

/** The rows of a step of a cycle, both counted from 0. No conversation is used twice. */
export function rowsOfStep(text: ModelText, cycle: number, step: number): Example[] {
  const { rowsPerStep, wholeRows, longest } = CYCLES[cycle]!;
  const first = rowsBefore(CYCLES.slice(0, cycle)) + step * rowsPerStep;
  return Array.from({ length: rowsPerStep }, (_, i) => {
    const whole = createRandom(SEED, SUPERVISION, first + i).next() * 100 < wholeRows;
    return toRow(text, 'train', first + i, longest, whole ? 'all' : 'assistant');
  });
}

const rowsBefore = (cycles: readonly Cycle[]) =>
  cycles.reduce((sum, { totalSteps, rowsPerStep }) => sum + totalSteps * rowsPerStep, 0);

/** Rows with held-out wordings and values, of which the assistant's words count. */
export function heldOutRows(text: ModelText, count: number): Example[] {
  return Array.from({ length: count }, (_, i) => toRow(text, 'held-out', i, LONGEST, 'assistant'));
}

function toRow(
  text: ModelText,
  part: Part,
  number: number,
  longest: number,
  trainOn: 'all' | 'assistant',
): Example {
  // If a conversation is too long, take another one with the same number.
  for (let seed = SEED; ; seed += 1000) {
    const { messages } = makeConversation(part, seed, number);
    const row = text.encodeRow({ messages }, { trainOn });
    if (row.ids.length <= longest) return row;
  }
}
