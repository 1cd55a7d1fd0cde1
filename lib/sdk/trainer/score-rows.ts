// Scores of held-out rows as evals of a trainer: those of a typed task, and of the functions that a model calls.
import { OptionError } from '../../contract/index.js';
import { type ScoredTask, scoreNames } from '../../evaluation/index.js';
import { keepResult } from '../../system/index.js';
import { openTaskRows, type SchemaInput, type Task, type TaskSchema } from '../../task/index.js';
import { readCalls } from '../../tool-calls/index.js';
import { answerSchema, USUAL_TOKENS } from '../evaluation/ask-rows.js';
import type { AskableRow, ReadOptions } from '../evaluation/read-rows.js';
import { createMeanEval, type EvalRows, findRows, USUAL_ROWS } from './mean-eval.js';
import type { Eval, Infer } from './options.js';

interface RowScoreOptions {
  on: EvalRows;
  /** Only the first rows. */
  limit: number | undefined;
  /** Default: the main score of the task. */
  score: string | undefined;
}

interface ScoredRows extends Pick<ReadOptions, 'task' | 'map'> {
  scored: ScoredTask;
  /** What answers are constrained to, where their row offers no functions. */
  schema: Readonly<Record<string, unknown>> | null;
  /** The error for a score that there is not. */
  explain(name: string, known: readonly string[]): OptionError;
}

function createRowEval(
  { on, limit = USUAL_ROWS, score }: RowScoreOptions,
  { scored, schema, explain, ...reader }: ScoredRows,
): Eval {
  const known = scoreNames(scored).map(({ name }) => name);
  const name = score ?? known[0]!;
  if (!known.includes(name)) throw explain(name, known);
  // Only a checkpoint needs what reads rows and the schemas of functions.
  const open = keepResult(async () => {
    const { createScorer } = await import('../../evaluation/index.js');
    return createScorer(scored);
  });

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
    const scorer = await open();
    return scorer.score(expected, answer, calls && { ...calls, answered: readCalls(message ?? {}) })[name];
  }

  return createMeanEval({
    async read() {
      const { source, ...folders } = findRows(on);
      const { readAskableRows } = await import('../evaluation/read-rows.js');
      return (await readAskableRows(source, { ...folders, ...reader, limit })).rows;
    },
    async measure(row, { infer }) {
      const reward = await scoreRow(row, infer);
      return reward === undefined ? undefined : { reward };
    },
    what: `the score ${name}`,
  });
}

export interface CallScoreOptions {
  /**
   * A file of conversations with `tools`, or such rows. The last message is what is expected: calls of functions, or a text where
   * none is to be called.
   */
  on: string | readonly object[];
  /** Only the first rows. An eval is measured at each checkpoint, so few are better. Default: 50. */
  limit?: number;
  /**
   * `calls`, the share of rows with the right functions and the right arguments; `functions`, with the right functions;
   * `arguments`, the F1 of the arguments; `valid`, the share of calls that fit the tools; `f1`, of the words of texts. Default:
   * `calls`.
   */
  score?: 'calls' | 'functions' | 'arguments' | 'valid' | 'f1';
}

/** An eval for `createTrainer`: a score of the functions that are called, over held-out rows that are asked at temperature 0. */
export function scoreCalls({ on, limit, score }: CallScoreOptions): Eval {
  return createRowEval(
    { on, limit, score },
    {
      scored: { kind: 'calls' },
      schema: null,
      task: null,
      explain: (name, known) =>
        new OptionError(`scoreCalls: there is no score "${name}". There are: ${known.join(', ')}.`),
    },
  );
}

export interface TaskScoreOptions<Input extends TaskSchema, Output extends TaskSchema> {
  /** A file of rows `{ input, output }`, or such rows. */
  on: string | readonly { input: SchemaInput<Input>; output: SchemaInput<Output> }[];
  /** Only the first rows. An eval is measured at each checkpoint, so few are better. Default: 50. */
  limit?: number;
  /** One of the task's scores, as in `svc eval`. Default: the main one. */
  score?: string;
}

/**
 * An eval for `createTrainer`: the mean of a task's score over held-out rows, each asked at temperature 0. The rows are read once,
 * at the first checkpoint. Throws a TypeError if there is no such score.
 */
export function scoreTask<Input extends TaskSchema, Output extends TaskSchema>(
  task: Task<Input, Output>,
  { on, limit, score }: TaskScoreOptions<Input, Output>,
): Eval {
  const { description } = task;
  const { read } = openTaskRows(task as Task);
  return createRowEval(
    { on, limit, score },
    {
      scored: description,
      schema: answerSchema(description),
      task: description,
      map: async row => ({ ...(await read(row)) }),
      explain: (name, known) =>
        new OptionError(
          `scoreTask: the task ${task.name} has no score "${name}". There are: ${known.join(', ')}.`,
        ),
    },
  );
}
