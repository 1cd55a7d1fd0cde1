// Reads rows whose answers are known: what to ask, and what is expected. Rows of a task have an `input` and an `output`; the last
// message of a chat is what is expected of it. And rows without an answer, whose answers a reward scores.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import {
  ApiError,
  type ChatMessage,
  type InferenceRequest,
  type TaskDescription,
  textOfContent,
  withoutWeight,
} from '../../contract/index.js';
import { reasonOf } from '../../engine/text/errors.js';
import { convertRow } from '../../engine/text/row-formats.js';
import type { ExpectedRow } from '../../evaluation/index.js';
import { writeMessages } from '../../task/index.js';
import { readCalls, toTool, toToolCall } from '../../tool-calls/index.js';

export interface AskableRow extends ExpectedRow {
  readonly messages: readonly ChatMessage[];
  /** The functions that it offers. */
  readonly tools?: Tools | undefined;
  /** The row as it is, if it has no answer: a reward needs its columns. */
  readonly item?: Readonly<Record<string, unknown>> | undefined;
}

type Tools = NonNullable<InferenceRequest['tools']>;

export interface AskableRows {
  /** The name of the file or data set. */
  readonly name: string;
  /** SHA-256 of what is asked and expected. */
  readonly digest: string;
  readonly rows: readonly AskableRow[];
}

/** A file, a data set of the Hugging Face Hub, or rows of the program. */
export type RowSource =
  | ProgramRows
  | { type: 'file'; path: string }
  | { type: 'huggingface'; name: string; split?: string; subset?: string };

export interface ProgramRows {
  type: 'rows';
  rows: readonly object[];
  /** Default: `the rows`. */
  name?: string;
}

export interface ReadOptions {
  /** The project's folder. */
  folder: string;
  /** Where downloads are kept. */
  cacheFolder: string;
  task: TaskDescription | null;
  /** Whether rows may have no answer: all of them, or none. */
  takesPrompts?: boolean | undefined;
  /** Turns a row into one that can be asked, as a task of the program does. Its errors are named after the row. */
  map?: ((row: Row) => Promise<Row> | Row) | undefined;
  /** Only the first ones. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** More would take days, and their comparison tells little more. */
const MOST_ROWS = 100_000;

/** Throws an `ApiError` with the code `dataset_invalid` that names the row. */
export async function readAskableRows(source: RowSource, options: ReadOptions): Promise<AskableRows> {
  const { task, takesPrompts = false, map = row => row, limit = MOST_ROWS, signal } = options;
  const rows: AskableRow[] = [];
  const hash = createHash('sha256');
  const { name, given } = await openRows(source, options);
  for await (const { row, at } of given) {
    signal?.throwIfAborted();
    if (rows.length >= limit) break;
    const given = await mapRow(map, row, at);
    const asked = takesPrompts && isPrompt(given) ? readPrompt(given, at) : readRow(given, at, task);
    const { messages, expected, calls, item } = asked;
    const first = rows[0];
    if (first && (first.item === undefined) !== (item === undefined))
      throw refuse(
        at,
        item
          ? 'has no answer, and the rows before it have one'
          : 'has an answer, and the rows before it have none',
      );
    hash.update(`${JSON.stringify([messages, expected, ...[calls, item].filter(Boolean)])}\n`);
    rows.push({ row: rows.length + 1, input: lastText(messages), ...asked });
  }
  if (rows.length === 0) throw refuse(name, 'has no rows');
  return { name, digest: hash.digest('hex'), rows };
}

/** Rows of any format as they are. Throws an `ApiError` with the code `dataset_invalid`. */
export async function openRows(
  source: RowSource,
  options: Pick<ReadOptions, 'folder' | 'cacheFolder' | 'signal'>,
): Promise<GivenRows> {
  return source.type === 'rows' ? ofProgram(source) : openSource(source, options);
}

interface GivenRows {
  name: string;
  given: Iterable<GivenRow> | AsyncIterable<GivenRow>;
}

interface GivenRow {
  row: Row;
  at: string;
}

function ofProgram({ rows, name = 'the rows' }: ProgramRows): GivenRows {
  return { name, given: rows.map((row, index) => ({ row: row as Row, at: `${name}, row ${index + 1}` })) };
}

async function openSource(
  source: Exclude<RowSource, { type: 'rows' }>,
  { folder, cacheFolder, signal }: Pick<ReadOptions, 'folder' | 'cacheFolder' | 'signal'>,
): Promise<GivenRows> {
  // Imported lazily: it has the readers of all formats.
  const { ANY_PARSED, codeOf, DatasetError, openDataset } = await import('../../engine/train/data/index.js');
  const path = source.type === 'file' ? resolve(folder, source.path) : '';
  const found = { ...source, ...(path && { path }), columns: ANY_PARSED };
  const explain = (error: unknown): unknown => {
    signal?.throwIfAborted();
    if (!(error instanceof DatasetError)) return error;
    const isMissing = source.type === 'file' && codeOf(error) === 'ENOENT';
    return new ApiError('dataset_invalid', isMissing ? `${path} does not exist.` : `${error.message}.`, {
      param: 'data',
      cause: error,
    });
  };
  async function* read(dataset: Awaited<ReturnType<typeof openDataset>>): AsyncGenerator<GivenRow> {
    try {
      for await (const { row, file, number } of dataset.rows()) yield { row, at: `${file}, row ${number}` };
    } catch (error) {
      throw explain(error);
    }
  }
  try {
    const dataset = await openDataset(found, { cacheFolder, allowPrivateAddresses: true, signal });
    return { name: dataset.fileName, given: read(dataset) };
  } catch (error) {
    throw explain(error);
  }
}

async function mapRow(map: NonNullable<ReadOptions['map']>, row: Row, at: string): Promise<Row> {
  try {
    return await map(row);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ApiError('dataset_invalid', `${at}: ${reason}`, { param: 'data', cause });
  }
}

type Row = Readonly<Record<string, unknown>>;
type Asked = Pick<AskableRow, 'messages' | 'expected' | 'tools' | 'calls' | 'item'>;

/** A chat that needs an answer, or a prompt alone. */
function isPrompt({ messages, prompt, completion }: Row): boolean {
  if (Array.isArray(messages)) return messages.length > 0 && messages.at(-1)?.role !== 'assistant';
  return prompt !== undefined && messages === undefined && completion === undefined;
}

function readPrompt(row: Row, at: string): Asked {
  const { messages, prompt, tools: offered } = convert({ completion: '', ...row }, at);
  const given = (messages ?? prompt) as ChatMessage[] | string;
  const turns = typeof given === 'string' ? [turn('user', given)] : given;
  const tools = toolsOf(offered);
  return {
    messages: toAskedMessages(turns as ChatMessage[]),
    expected: '',
    item: row,
    ...(tools && { tools }),
  };
}

function toolsOf(offered: unknown): Tools | undefined {
  return Array.isArray(offered) && offered.length > 0 ? (offered.map(toTool) as Tools) : undefined;
}

function readRow(row: Row, at: string, task: TaskDescription | null): Asked {
  const { messages, prompt, completion, tools } = convert(row, at);
  if (messages !== undefined) return readChat(messages, tools, at);
  if (completion !== undefined)
    return readChat([...toTurns(prompt, 'user', at), ...toTurns(completion, 'assistant', at)], tools, at);
  if (Object.hasOwn(row, 'input') && Object.hasOwn(row, 'output'))
    return { messages: writePrompt(task, row.input, at), expected: writeValue(row.output) };
  const columns = Object.keys(row).join(', ') || 'none';
  throw refuse(
    at,
    `has no answer to compare with: it needs input and output, messages, or prompt and completion, and has ${columns}`,
  );
}

/** As training reads it, but an answer of Alpaca's may be any value. Empty for other rows. */
function convert(row: Row, at: string): Row {
  const { instruction, output } = row;
  const isAlpaca = instruction !== undefined && output !== undefined;
  try {
    const written = isAlpaca ? { ...row, output: writeValue(output) } : row;
    // Tables that mix formats have empty columns.
    const given = Object.entries(written).filter(([, value]) => value != null);
    return convertRow(Object.fromEntries(given), 'sft') ?? {};
  } catch (error) {
    throw refuse(at, reasonOf(error));
  }
}

const turn = (role: ChatMessage['role'], content: unknown) => ({ role, content: writeValue(content) });

function toTurns(value: unknown, role: ChatMessage['role'], at: string): unknown[] {
  if (typeof value === 'string') return [{ role, content: value }];
  if (Array.isArray(value)) return value;
  throw refuse(at, `has a ${role === 'user' ? 'prompt' : 'completion'} that is neither a text nor messages`);
}

function readChat(given: unknown, offered: unknown, at: string): Asked {
  const messages = given as ChatMessage[];
  if (!Array.isArray(given) || given.length < 2) throw refuse(at, 'has no question and answer');
  const last = messages.at(-1)!;
  if (last?.role !== 'assistant') throw refuse(at, 'does not end with an answer of the assistant');
  const tools = toolsOf(offered);
  const calls = readCalls(last);
  const text = textOfContent(last.content);
  if (text === null && calls.length === 0) throw refuse(at, 'ends without a text, which has no score');
  if (!tools && calls.length > 0)
    throw refuse(at, 'ends with a call of a function, and has no tools to call');
  return {
    messages: toAskedMessages(messages.slice(0, -1)),
    expected: text ?? '',
    ...(tools && { tools, calls: { expected: calls, tools } }),
  };
}

function lastText(messages: readonly ChatMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1)!;
  return textOfContent(last.content) ?? '';
}

function writeValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** The task's messages, or the input as one. */
function writePrompt(task: TaskDescription | null, input: unknown, at: string): ChatMessage[] {
  if (!task) return [{ role: 'user', content: writeValue(input) }];
  if (task.prompt) return writeMessages(task.prompt, task.input, input);
  throw refuse(
    at,
    `has an input that only the program with the task ${task.name} can make messages of; give rows with messages, as "svc data rows" writes them there`,
  );
}

function refuse(at: string, what: string): ApiError {
  return new ApiError('dataset_invalid', `${at}: ${what}.`.replace(/: (has|does|ends)/, ' $1'), {
    param: 'data',
  });
}

/**
 * Conversations as they are asked: data sets may have arguments as objects, and no ids. Calls without an id are numbered from 0 in
 * the whole conversation, as the chat format and rewards number theirs; a result without one is that of the first such call.
 */
export function toAskedMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  let count = 0;
  let open: string[] = [];
  return messages.map(given => {
    const message = dropNulls(withoutWeight(given));
    if (message.role === 'tool') {
      const id = message.tool_call_id ?? open[0] ?? 'call_0';
      open = open.filter(other => other !== id);
      return { ...message, tool_call_id: id };
    }
    const calls = readCalls(message as { tool_calls?: unknown }).map(call =>
      toToolCall({ ...call, arguments: call.arguments ?? {} }, count++),
    );
    if (calls.length === 0) return message;
    open = calls.map(({ id }) => id);
    return { ...message, tool_calls: calls } as ChatMessage;
  });
}

/** Tables have every column in every row, as training reads them. */
function dropNulls(message: ChatMessage): ChatMessage {
  const given = Object.entries(message).filter(([name, value]) => value !== null || name === 'content');
  return Object.fromEntries(given) as unknown as ChatMessage;
}
