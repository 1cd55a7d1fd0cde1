// An eval of a trainer over held-out rows: they are read once, at the first checkpoint, asked side by side at each, and the mean
// counts.
import { join } from 'node:path';
import { findFailedRewards, type Rewarded } from '../../contract/index.js';
import { eachAtOnce, keepResult } from '../../system/index.js';
import { AT_ONCE } from '../evaluation/ask-rows.js';
import type { RowSource } from '../evaluation/read-rows.js';
import { findHome } from '../files/files.js';
import type { Eval, EvalContext } from './options.js';

/** An eval is measured at each checkpoint, so few rows are better. */
export const USUAL_ROWS = 50;

/** A file of rows, or such rows. */
export type EvalRows = string | readonly object[];

interface MeanEval<Row> {
  read(): Promise<readonly Row[]>;
  /** Undefined for a row that does not count. */
  measure(row: Row, context: EvalContext): Promise<Rewarded | undefined>;
  /** What is measured, for errors: `a reward`. */
  what: string;
}

export function createMeanEval<Row>({ read, measure, what }: MeanEval<Row>): Eval {
  const readOnce = keepResult(read);
  return async context => {
    const rows = await readOnce();
    const measured: Rewarded[] = [];
    await eachAtOnce(rows, AT_ONCE, async row => {
      const value = await measure(row, context);
      if (value) measured.push(value);
    });
    // The mean of a few could be that of the few that are right.
    const none = measured.length === 0 ? `No answer to the ${rows.length} rows has ${what}.` : null;
    const problem = none ?? findFailedRewards(measured);
    if (problem !== null) throw new Error(problem);
    const values = measured.flatMap(one => ('reward' in one ? [one.reward] : []));
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
}

/** Where an eval's rows are, as readers of rows take it: in the project's process. */
export function findRows(on: EvalRows): { source: RowSource; folder: string; cacheFolder: string } {
  const [folder, cacheFolder] = [process.cwd(), join(findHome(process.env), 'cache', 'data')];
  const source: RowSource = typeof on === 'string' ? { type: 'file', path: on } : { type: 'rows', rows: on };
  return { source, folder, cacheFolder };
}
