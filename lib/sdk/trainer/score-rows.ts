// A score of held-out rows as an eval of a trainer: they are read once, asked at each checkpoint, and the mean counts.
import { join } from 'node:path';
import type { ScoredTask } from '../../evaluation/index.js';
import { createScorer } from '../../evaluation/index.js';
import { readCalls } from '../../tool-calls/index.js';
import { AT_ONCE, USUAL_TOKENS } from '../evaluation/ask-rows.js';
import { type AskableRow, type ReadOptions, readAskableRows } from '../evaluation/read-rows.js';
import { findHome } from '../files/files.js';
import type { Eval, Infer } from './options.js';

export interface RowScoreOptions {
  /** A file of rows, or such rows. */
  on: string | readonly object[];
  /** Only the first rows. */
  limit: number | undefined;
  /** Default: the main score of the task. */
  score: string | undefined;
}

export interface ScoredRows extends Pick<ReadOptions, 'task' | 'map'> {
  scored: ScoredTask;
  /** What answers are constrained to, where their row offers no functions. */
  schema: Readonly<Record<string, unknown>> | null;
  /** The error for a score that there is not. */
  explain(name: string, known: readonly string[]): TypeError;
}

/** An eval is measured at each checkpoint, so few rows are better. */
const USUAL_ROWS = 50;

export function createRowEval(
  { on, limit = USUAL_ROWS, score }: RowScoreOptions,
  { scored, schema, explain, ...reader }: ScoredRows,
): Eval {
  const scorer = createScorer(scored);
  const known = scorer.names.map(({ name }) => name);
  const name = score ?? known[0]!;
  if (!known.includes(name)) throw explain(name, known);
  let reading: Promise<readonly AskableRow[]> | undefined;

  async function scoreRow(row: AskableRow, infer: Infer): Promise<number | undefined> {
    const { messages, tools, expected, calls } = row;
    const { choices } = await infer({
      messages: [...messages],
      temperature: 0,
      maxTokens: USUAL_TOKENS,
      ...(tools ? { tools: [...tools] } : schema && { schema }),
    });
    const { message } = choices[0] ?? {};
    const answer = message ? (message.content ?? (calls ? '' : null)) : null;
    return scorer.score(expected, answer, calls && { ...calls, answered: readCalls(message ?? {}) })[name];
  }

  return async ({ infer }) => {
    reading ??= readRows(on, { ...reader, limit }).catch(error => {
      reading = undefined;
      throw error;
    });
    const rows = await reading;
    const scores: number[] = [];
    const left = rows.values();
    const work = async () => {
      for (const row of left) {
        const value = await scoreRow(row, infer);
        if (value !== undefined) scores.push(value);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (scores.length === 0) throw new Error(`No answer to the ${rows.length} rows has the score ${name}.`);
    return scores.reduce((sum, value) => sum + value, 0) / scores.length;
  };
}

async function readRows(
  on: string | readonly object[],
  options: Pick<ReadOptions, 'task' | 'map' | 'limit'>,
): Promise<readonly AskableRow[]> {
  const [folder, cacheFolder] = [process.cwd(), join(findHome(process.env), 'cache', 'data')];
  const source =
    typeof on === 'string' ? ({ type: 'file', path: on } as const) : ({ type: 'rows', rows: on } as const);
  const { rows } = await readAskableRows(source, { folder, cacheFolder, ...options });
  return rows;
}
