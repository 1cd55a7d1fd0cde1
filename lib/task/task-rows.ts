// Turns rows of `{ input, output }` into chats to train on.
import { isDeepStrictEqual } from 'node:util';
import { asContext, type TaskDescription } from '../contract/index.js';
import { findMisfit } from './client/fits.js';
import { writeMessages } from './client/messages.js';
import type { Task } from './define-task.js';
import type { JsonSchema } from './task-schema.js';

/** What is wrong with a row. */
export class TaskRowError extends Error {}

const MOST_FAULTS = 5;

/** The rows that do not fit a task, of which the first are named. */
export class WrongRows {
  private readonly lines: string[] = [];
  private count = 0;

  /** Any other error is thrown. `at`: which row it is. */
  add(error: unknown, at: string): void {
    if (!(error instanceof TaskRowError)) throw error;
    this.count++;
    if (this.lines.length < MOST_FAULTS) this.lines.push(`${at}: ${error.message}`);
  }

  /** Null if all rows fit. */
  describe(task: string): string | null {
    if (this.count === 0) return null;
    const more = this.count - this.lines.length;
    const rows = this.count === 1 ? '1 row does' : `${this.count.toLocaleString('en')} rows do`;
    const rest = more > 0 ? [`and ${more.toLocaleString('en')} more.`] : [];
    return [`${rows} not fit the task ${task}:`, ...this.lines, ...rest].join('\n');
  }
}

export interface TaskRows {
  /** What a model is asked for a row's input. Throws a `TaskRowError`. */
  ask(row: Readonly<Record<string, unknown>>): Promise<object[]>;
  /** A chat with the answer, of which only that is learned. Throws a `TaskRowError`. */
  read(row: Readonly<Record<string, unknown>>, columns?: Columns): Promise<{ messages: object[] }>;
  /** What a job stores: the task, without its prompt if that wrote other messages for a row. */
  description(): TaskDescription;
}

/** The columns of a row's parts. */
type Columns = Readonly<{ input?: string | undefined; output?: string | undefined }>;

export function openTaskRows({ description, toMessages, toAnswer }: Task): TaskRows {
  const { prompt, ...described } = description;
  let isCaptured = prompt !== undefined;
  return {
    ask: async row => [...(await orRowError(() => toMessages(readCell(row, 'input', description.input))))],
    async read(row, { input: inputColumn = 'input', output: outputColumn = 'output' } = {}) {
      const input = readCell(row, inputColumn, description.input);
      const output = readCell(row, outputColumn, description.output);
      const messages = await orRowError(() => toMessages(input));
      const content = await orRowError(() => toAnswer(output));
      isCaptured &&= isDeepStrictEqual(writeMessages(prompt!, description.input, input), messages);
      return { messages: [...asContext(messages), { role: 'assistant', content }] };
    },
    description: () => (isCaptured ? description : described),
  };
}

/** By name, since the program may have another copy of this package. */
async function orRowError<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TaskError') throw error;
    throw new TaskRowError(error.message, { cause: error });
  }
}

/** Formats of text alone, such as CSV, have objects as JSON. */
function readCell(row: Readonly<Record<string, unknown>>, column: string, schema: JsonSchema): unknown {
  if (!Object.hasOwn(row, column))
    throw new TaskRowError(`there is no \`${column}\`; rows of a task have \`input\` and \`output\``);
  const cell = row[column];
  if (typeof cell !== 'string' || findMisfit(schema, cell) === null) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
