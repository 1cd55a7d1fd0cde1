// The problems that a data set check looks for, most serious first. Errors make a run fail, warnings hurt its results, and
// notes are worth a look.
import { SCRIPT_COUNT } from './letters.js';

export type FindingGrade = 'error' | 'warning' | 'note';

export const FINDINGS = {
  unreadable: 'error',
  empty_answer: 'error',
  nothing_learned: 'error',
  too_long: 'error',
  no_logprobs: 'error',
  skipped: 'warning',
  cut: 'warning',
  no_end: 'warning',
  empty_turn: 'warning',
  lost_thought: 'warning',
  unknown_function: 'warning',
  wrong_arguments: 'warning',
  unmatched_result: 'warning',
  other_tokens: 'warning',
  in_both: 'warning',
  duplicate: 'warning',
  mixed_letters: 'warning',
  broken_characters: 'warning',
  tools_as_text: 'note',
  near_duplicate: 'note',
  conflicting: 'note',
  rare_script: 'note',
  long_line: 'note',
} as const satisfies Readonly<Record<string, FindingGrade>>;

export type FindingName = keyof typeof FINDINGS;

export const FINDING_NAMES = Object.keys(FINDINGS) as FindingName[];

/** A row's findings as the bits of a number. */
export function bitOf(name: FindingName): number {
  return 1 << FINDING_NAMES.indexOf(name);
}

export function namesOf(bits: number): FindingName[] {
  return FINDING_NAMES.filter(name => (bits & bitOf(name)) !== 0);
}

/** A check's record of each row: about forty bytes, since there may be millions. */
export class RowMarks {
  /** Places among all rows: those of the data set, then those of the separate evaluation data set. */
  readonly rows: Uint32Array;
  readonly findings: Uint32Array;
  /** In tokens, before truncation; 0 for a row that cannot be trained on. */
  readonly lengths: Uint32Array;
  readonly isTrained: Uint8Array;
  readonly scripts: Uint32Array;
  /** Hashes of the whole row and of its question. 0 for a row that cannot be trained on. */
  readonly identities: Float64Array;
  readonly questions: Float64Array;
  /** One plus the place of the row that it repeats; 0 if it repeats none. */
  readonly repeats: Uint32Array;
  /** How many are filled in. */
  length = 0;

  constructor(count: number) {
    this.rows = new Uint32Array(count);
    this.findings = new Uint32Array(count);
    this.lengths = new Uint32Array(count);
    this.isTrained = new Uint8Array(count);
    this.scripts = new Uint32Array(count);
    this.identities = new Float64Array(count);
    this.questions = new Float64Array(count);
    this.repeats = new Uint32Array(count);
  }

  mark(at: number, bit: number, repeated?: number): void {
    this.findings[at] = this.findings[at]! | bit;
    if (repeated !== undefined && this.repeats[at] === 0) this.repeats[at] = this.rows[repeated]! + 1;
  }
}

/**
 * Findings that take more than one row: repeated rows, rows on both sides, one question with two answers, and scripts
 * that few rows use.
 */
export function compareRows(marks: RowMarks): void {
  markRepeats(marks);
  markConflicts(marks);
  markRareScripts(marks);
}

/** Rows for training come first: an evaluation row that repeats one of them is in both. */
function markRepeats(marks: RowMarks): void {
  const trained = new Map<number, number>();
  const evaluated = new Map<number, number>();
  for (const isTrained of [1, 0]) {
    for (let at = 0; at < marks.length; at++) {
      const identity = marks.identities[at]!;
      if (identity === 0 || marks.isTrained[at] !== isTrained) continue;
      const own = isTrained ? trained : evaluated;
      const inTraining = isTrained ? undefined : trained.get(identity);
      if (inTraining !== undefined) marks.mark(at, bitOf('in_both'), inTraining);
      else if (own.has(identity)) marks.mark(at, bitOf('duplicate'), own.get(identity));
      else own.set(identity, at);
    }
  }
}

/** Rows that repeat another one entirely conflict with none. */
function markConflicts(marks: RowMarks): void {
  const first = new Map<number, number>();
  for (let at = 0; at < marks.length; at++) {
    const question = marks.questions[at]!;
    if (question === 0) continue;
    const earlier = first.get(question);
    if (earlier === undefined) first.set(question, at);
    else if (marks.identities[earlier] !== marks.identities[at]) {
      marks.mark(earlier, bitOf('conflicting'), at);
      marks.mark(at, bitOf('conflicting'), earlier);
    }
  }
}

const RARE_SHARE = 0.02;
const FEWEST_ROWS = 50;

function markRareScripts(marks: RowMarks): void {
  if (marks.length < FEWEST_ROWS) return;
  let rare = 0;
  for (let script = 0; script < SCRIPT_COUNT; script++) {
    let rows = 0;
    for (let at = 0; at < marks.length; at++) if (marks.scripts[at]! & (1 << script)) rows++;
    if (rows > 0 && rows < RARE_SHARE * marks.length) rare |= 1 << script;
  }
  if (rare === 0) return;
  for (let at = 0; at < marks.length; at++)
    if (marks.scripts[at]! & rare) marks.mark(at, bitOf('rare_script'));
}
