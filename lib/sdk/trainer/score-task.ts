// A score of a typed task as an eval of a trainer.
import { OptionError } from '../../contract/index.js';
import { openTaskRows, type SchemaInput, type Task, type TaskSchema } from '../../task/index.js';
import { answerSchema } from '../evaluation/ask-rows.js';
import type { Eval } from './options.js';
import { createRowEval } from './score-rows.js';

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
