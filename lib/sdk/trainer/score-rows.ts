// A score of held-out rows as an eval of a trainer.
import type { OptionError } from '../../contract/index.js';
import { createScorer, type ScoredTask } from '../../evaluation/index.js';
import { readCalls } from '../../tool-calls/index.js';
import { USUAL_TOKENS } from '../evaluation/ask-rows.js';
import { type AskableRow, type ReadOptions, readAskableRows } from '../evaluation/read-rows.js';
import { createMeanEval, type EvalRows, findRows, USUAL_ROWS } from './mean-eval.js';
import type { Eval, Infer } from './options.js';

export interface RowScoreOptions {
  on: EvalRows;
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
  explain(name: string, known: readonly string[]): OptionError;
}

export function createRowEval(
  { on, limit = USUAL_ROWS, score }: RowScoreOptions,
  { scored, schema, explain, ...reader }: ScoredRows,
): Eval {
  const scorer = createScorer(scored);
  const known = scorer.names.map(({ name }) => name);
  const name = score ?? known[0]!;
  if (!known.includes(name)) throw explain(name, known);
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

  return createMeanEval({
    async read() {
      const { source, ...folders } = findRows(on);
      return (await readAskableRows(source, { ...folders, ...reader, limit })).rows;
    },
    measure: (row, { infer }) => scoreRow(row, infer),
    explain: rows => `No answer to the ${rows.length} rows has the score ${name}.`,
  });
}
