// Findings that take more than one row: repeated rows, rows on both sides, one question with two answers, and scripts that
// few rows use.
import { bitOf } from './findings.js';
import { SCRIPT_COUNT } from './letters.js';
import type { RowMarks } from './row-marks.js';

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
