// A score of a typed task as an eval of a trainer.
import { join } from 'node:path';
import { createScorer } from '../../evaluation/index.js';
import { openTaskRows, type SchemaInput, type Task, type TaskSchema } from '../../task/index.js';
import { AT_ONCE, answerSchema, USUAL_TOKENS } from '../evaluation/ask-rows.js';
import { type AskableRow, readAskableRows } from '../evaluation/read-rows.js';
import { findHome } from '../files/files.js';
import type { Eval, Infer } from './options.js';

export interface TaskScoreOptions<Input extends TaskSchema, Output extends TaskSchema> {
  /** A file of rows `{ input, output }`, or such rows. */
  on: string | readonly { input: SchemaInput<Input>; output: SchemaInput<Output> }[];
  /** Only the first rows. An eval is measured at each checkpoint, so few are better. Default: 50. */
  limit?: number;
  /** One of the task's scores, as in `svc eval`. Default: the main one. */
  score?: string;
}

const USUAL_ROWS = 50;

/**
 * An eval for `createTrainer`: the mean of a task's score over held-out rows, each asked at temperature 0. The rows are read once,
 * at the first checkpoint. Throws a TypeError if there is no such score.
 */
export function scoreTask<Input extends TaskSchema, Output extends TaskSchema>(
  task: Task<Input, Output>,
  { on, limit = USUAL_ROWS, score }: TaskScoreOptions<Input, Output>,
): Eval {
  const { description } = task;
  const scorer = createScorer(description);
  const names = scorer.names.map(({ name }) => name);
  const name = score ?? names[0]!;
  if (!names.includes(name))
    throw new TypeError(
      `scoreTask: the task ${task.name} has no score "${name}". There are: ${names.join(', ')}.`,
    );
  const schema = answerSchema(description);
  let reading: Promise<readonly AskableRow[]> | undefined;

  async function scoreRow({ messages, expected }: AskableRow, infer: Infer): Promise<number | undefined> {
    const { choices } = await infer({
      messages: [...messages],
      temperature: 0,
      maxTokens: USUAL_TOKENS,
      ...(schema && { schema }),
    });
    return scorer.score(expected, choices[0]?.message.content ?? null)[name];
  }

  return async ({ infer }) => {
    reading ??= readRows(task, on, limit).catch(error => {
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
  task: Task,
  on: string | readonly object[],
  limit: number,
): Promise<readonly AskableRow[]> {
  const { read } = openTaskRows(task);
  const [folder, cacheFolder] = [process.cwd(), join(findHome(process.env), 'cache', 'data')];
  const source =
    typeof on === 'string' ? ({ type: 'file', path: on } as const) : ({ type: 'rows', rows: on } as const);
  const options = { folder, cacheFolder, task: task.description, limit };
  const { rows } = await readAskableRows(source, {
    ...options,
    map: async row => ({ ...(await read(row)) }),
  });
  return rows;
}
