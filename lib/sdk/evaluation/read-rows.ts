// Reads rows whose answers are known: what to ask, and what is expected. Rows of a task have an `input` and an `output`; the last
// message of a chat is what is expected of it.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ApiError, type ChatMessage, type TaskDescription } from '../../contract/index.js';
import type { ExpectedRow } from '../../evaluation/index.js';
import { TaskRowError, type TaskRows, writeMessages } from '../../task/index.js';

export interface AskableRow extends ExpectedRow {
  readonly messages: readonly ChatMessage[];
}

export interface AskableRows {
  /** The name of the file or data set. */
  readonly name: string;
  /** SHA-256 of what is asked and expected. */
  readonly digest: string;
  readonly rows: readonly AskableRow[];
}

/** A file, or a data set of the Hugging Face Hub. */
export type RowSource =
  | { type: 'file'; path: string }
  | { type: 'huggingface'; name: string; split?: string; subset?: string };

interface ReadOptions {
  /** The project's folder. */
  folder: string;
  /** Where downloads are kept. */
  cacheFolder: string;
  task: TaskDescription | null;
  /** The program's own task, if there is one: its rows are checked, and its own code writes the prompt. */
  taskRows?: TaskRows | undefined;
  /** Only the first ones. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** More would take days, and their comparison tells little more. */
const MOST_ROWS = 100_000;

/** Throws an `ApiError` with the code `dataset_invalid` that names the row. */
export async function readAskableRows(source: RowSource, options: ReadOptions): Promise<AskableRows> {
  // Imported lazily: it has the readers of all formats.
  const { ANY_COLUMNS, codeOf, DatasetError, openDataset } = await import('../../engine/train/data/index.js');
  const { folder, cacheFolder, task, taskRows, limit = MOST_ROWS, signal } = options;
  const path = source.type === 'file' ? resolve(folder, source.path) : '';
  const found = { ...source, ...(path && { path }), columns: ANY_COLUMNS };
  const rows: AskableRow[] = [];
  const hash = createHash('sha256');
  try {
    const dataset = await openDataset(found, { cacheFolder, allowPrivateAddresses: true, signal });
    for await (const { row, file, number } of dataset.rows()) {
      signal?.throwIfAborted();
      if (rows.length >= limit) break;
      const at = `${file}, row ${number}`;
      const { messages, expected } = taskRows ? await readTaskRow(row, at, taskRows) : readRow(row, at, task);
      hash.update(`${JSON.stringify([messages, expected])}\n`);
      rows.push({ row: rows.length + 1, messages, input: lastText(messages), expected });
    }
    if (rows.length === 0) throw refuse(dataset.fileName, 'has no rows');
    return { name: dataset.fileName, digest: hash.digest('hex'), rows };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof DatasetError)) throw error;
    const isMissing = source.type === 'file' && codeOf(error) === 'ENOENT';
    throw new ApiError('dataset_invalid', isMissing ? `${path} does not exist.` : `${error.message}.`, {
      param: 'data',
      cause: error,
    });
  }
}

type Row = Readonly<Record<string, unknown>>;
export type AskedRow = Pick<AskableRow, 'messages' | 'expected'>;

/** A row `{ input, output }` of a program's own task. */
export async function readTaskRow(row: Row, at: string, { read }: TaskRows): Promise<AskedRow> {
  const { messages } = await read(row).catch(error => {
    throw error instanceof TaskRowError ? refuse(at, `does not fit the task: ${error.message}`) : error;
  });
  return readChat(messages, at);
}

function readRow(row: Row, at: string, task: TaskDescription | null): AskedRow {
  if (Object.hasOwn(row, 'messages')) return readChat(row.messages, at);
  if (Object.hasOwn(row, 'prompt') && Object.hasOwn(row, 'completion'))
    return readChat([...toTurns(row.prompt, 'user', at), ...toTurns(row.completion, 'assistant', at)], at);
  if (Object.hasOwn(row, 'instruction') && Object.hasOwn(row, 'output')) {
    const more = typeof row.input === 'string' && row.input.trim() ? `\n\n${row.input}` : '';
    return readChat(
      [turn('user', `${writeValue(row.instruction)}${more}`), turn('assistant', row.output)],
      at,
    );
  }
  if (Object.hasOwn(row, 'input') && Object.hasOwn(row, 'output'))
    return { messages: writePrompt(task, row.input), expected: writeValue(row.output) };
  const columns = Object.keys(row).join(', ') || 'none';
  throw refuse(
    at,
    `has no answer to compare with: it needs input and output, messages, or prompt and completion, and has ${columns}`,
  );
}

const turn = (role: ChatMessage['role'], content: unknown) => ({ role, content: writeValue(content) });

function toTurns(value: unknown, role: ChatMessage['role'], at: string): unknown[] {
  if (typeof value === 'string') return [{ role, content: value }];
  if (Array.isArray(value)) return value;
  throw refuse(at, `has a ${role === 'user' ? 'prompt' : 'completion'} that is neither a text nor messages`);
}

function readChat(given: unknown, at: string): AskedRow {
  const messages = given as ChatMessage[];
  if (!Array.isArray(given) || given.length < 2) throw refuse(at, 'has no question and answer');
  const last = messages.at(-1)!;
  if (last?.role !== 'assistant') throw refuse(at, 'does not end with an answer of the assistant');
  const expected = textOf(last);
  if (expected === null) throw refuse(at, 'ends with a tool call or without a text, which has no score');
  return { messages: messages.slice(0, -1), expected };
}

/** Null if there is more or less than text. */
function textOf({ content, tool_calls: calls }: Pick<ChatMessage, 'content'> & { tool_calls?: unknown }) {
  if (calls !== undefined && calls !== null && (calls as unknown[]).length > 0) return null;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content.map(part => (part as { text?: string }).text ?? '').join('');
}

function lastText(messages: readonly ChatMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1)!;
  return textOf(last as { content: string }) ?? '';
}

function writeValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** The task's messages, or the input as one. */
function writePrompt(task: TaskDescription | null, input: unknown): ChatMessage[] {
  return task?.prompt ? writeMessages(task.prompt, input) : [{ role: 'user', content: writeValue(input) }];
}

function refuse(at: string, what: string): ApiError {
  return new ApiError('dataset_invalid', `${at}: ${what}.`.replace(/: (has|does|ends)/, ' $1'), {
    param: 'data',
  });
}
