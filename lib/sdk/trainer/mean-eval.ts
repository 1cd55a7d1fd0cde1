// An eval of a trainer over held-out rows: they are read once, at the first checkpoint, asked side by side at each, and the mean
// counts.
import { join } from 'node:path';
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
  /** An error, or undefined, for a row that does not count. */
  measure(row: Row, context: EvalContext): Promise<number | { error: string } | undefined>;
  /** Why there is no mean, if no row counts. */
  explain(rows: readonly Row[], error: string | undefined): string;
}

export function createMeanEval<Row>({ read, measure, explain }: MeanEval<Row>): Eval {
  const readOnce = keepResult(read);
  return async context => {
    const rows = await readOnce();
    const values: number[] = [];
    let error: string | undefined;
    await eachAtOnce(rows, AT_ONCE, async row => {
      const value = await measure(row, context);
      if (typeof value === 'number') values.push(value);
      else error ??= value?.error;
    });
    if (values.length === 0) throw new Error(explain(rows, error));
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
}

/** Where an eval's rows are, as readers of rows take it: in the project's process. */
export function findRows(on: EvalRows): { source: RowSource; folder: string; cacheFolder: string } {
  const [folder, cacheFolder] = [process.cwd(), join(findHome(process.env), 'cache', 'data')];
  const source: RowSource = typeof on === 'string' ? { type: 'file', path: on } : { type: 'rows', rows: on };
  return { source, folder, cacheFolder };
}
