// The rows of the data sets.
import { createDraw, createValues, type Turn } from '../corpus/index.js';
import type { DataSet, Exercise } from './data-set.js';
import { redaction } from './redaction/index.js';
import { FIRST_NUMBERS, PARTS, type Side } from './sides.js';
import { translate } from './translate/index.js';
import { triage } from './triage/index.js';

export const PRACTICE_NAMES = ['triage', 'redaction', 'translate'] as const;
export type PracticeName = (typeof PRACTICE_NAMES)[number];

export interface PracticeRow {
  asked: string;
  answer: string;
  /** The same as a conversation. */
  messages: Turn[];
  /** The sentence templates behind the question. */
  templates: readonly string[];
  /** The entity values in the question. */
  values: readonly string[];
}

const DATA_SETS: Record<PracticeName, DataSet> = { triage, redaction, translate };

/** The first rows for this seed, without repeated questions. */
export function practiceRows(name: PracticeName, side: Side, count: number, seed: number): PracticeRow[] {
  const rows = new Map<string, PracticeRow>();
  for (let number = FIRST_NUMBERS[side]; rows.size < count; number++) {
    const draw = createDraw(PARTS[side], seed, number);
    const exercise = DATA_SETS[name].make(draw, createValues(draw));
    rows.set(exercise.asked, { ...exercise, messages: toMessages(exercise) });
  }
  return [...rows.values()];
}

function toMessages({ asked, answer }: Exercise): Turn[] {
  return [
    { role: 'user', content: asked },
    { role: 'assistant', content: answer },
  ];
}

/** 1 if the answers are identical apart from surrounding space, otherwise 0. */
export function scoreExact(expected: string, answered: string): number {
  return answered.trim() === expected.trim() ? 1 : 0;
}

/** How much of the content is right, from 0 to 1, regardless of format. What counts depends on the data set. */
export function scoreContent(name: PracticeName, asked: string, expected: string, answered: string): number {
  return DATA_SETS[name].scoreContent(asked, expected, answered);
}
