// What a batch has been answered so far, in two files that only grow. A line is written once its request has an answer, so
// a cloud that is killed answers no request twice; a line that was cut off is removed, and its request answered again.
import { createReadStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchUsage } from '../../../contract/index.js';
import { createMutex } from '../../../system/index.js';
import type { BatchCounts } from './batch-rows.js';
import { splitLines } from './split-lines.js';

/** A line of the output, in OpenAI's format. */
export interface BatchResult {
  id: string;
  custom_id: string;
  /** Null if the request was not answered in time. */
  response: { status_code: number; request_id: string; body: unknown } | null;
  error: { code: string; message: string } | null;
}

export interface ResultLog {
  /** Whether a request had an answer when the log was opened. */
  has(customId: string): boolean;
  readonly counts: BatchCounts;
  readonly usage: BatchUsage;
  /** Throws if the disk fails; it can then be called again. */
  add(result: BatchResult): Promise<void>;
  /** Returns the paths of files with results, which are on disk by then. Can be called again. */
  close(): Promise<{ output: string | null; error: string | null }>;
}

export const RESULT_FILES = { output: 'output.jsonl', error: 'error.jsonl' } as const;

type Kind = keyof typeof RESULT_FILES;

/** Opens the log in this folder, which is created if it does not exist. */
export async function openResultLog(folder: string): Promise<ResultLog> {
  await mkdir(folder, { recursive: true });
  const answered = new Set<string>();
  const counts = { completed: 0, failed: 0 };
  const usage = noUsage();
  const exclusively = createMutex();
  const count = (kind: Kind, result: BatchResult) => {
    counts[kind === 'output' ? 'completed' : 'failed']++;
    addUsage(usage, result);
  };

  async function openFile(kind: Kind) {
    const path = join(folder, RESULT_FILES[kind]);
    const file = await openLines(path, result => {
      answered.add(result.custom_id);
      count(kind, result);
    });
    return { ...file, path };
  }

  const output = await openFile('output');
  const error = await openFile('error').catch(async fault => {
    await output.close();
    throw fault;
  });
  const files = { output, error };
  let closing: ReturnType<typeof close> | undefined;
  return {
    has: id => answered.has(id),
    counts,
    usage,
    add: result =>
      exclusively(async () => {
        const kind = result.response?.status_code === 200 ? 'output' : 'error';
        await files[kind].append(`${JSON.stringify(result)}\n`);
        count(kind, result);
      }),
    close: () => (closing ??= close()),
  };

  async function close() {
    const [hasOutput, hasErrors] = await Promise.all([output.close(), error.close()]);
    return { output: hasOutput ? output.path : null, error: hasErrors ? error.path : null };
  }
}

/** Opens a file of lines to append to, after telling those that it has. */
async function openLines(path: string, onLine: (result: BatchResult) => void) {
  const handle = await open(path, 'a+', 0o600);
  let length: number;
  try {
    length = await readLines(path, onLine);
    await handle.truncate(length);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    async append(line: string): Promise<void> {
      const bytes = Buffer.from(line);
      try {
        await handle.appendFile(bytes);
      } catch (error) {
        // A full disk may have taken a part of it.
        await handle.truncate(length);
        throw error;
      }
      length += bytes.length;
    },
    /** Whether it has any lines. */
    async close(): Promise<boolean> {
      try {
        await handle.sync();
        return length > 0;
      } finally {
        await handle.close();
      }
    },
  };
}

/** Returns where the last intact line ends. */
async function readLines(path: string, onLine: (result: BatchResult) => void): Promise<number> {
  const { size } = await stat(path);
  let end = 0;
  for await (const { bytes } of splitLines(createReadStream(path))) {
    const next = end + bytes!.length + 1;
    const result = next > size ? null : parseResult(bytes!);
    if (!result) break;
    onLine(result);
    end = next;
  }
  return end;
}

/** Null for a line that was cut off, or that a power cut has damaged. */
function parseResult(line: Uint8Array): BatchResult | null {
  try {
    return JSON.parse(Buffer.from(line).toString()) as BatchResult;
  } catch {
    return null;
  }
}

const noUsage = (): BatchUsage => ({
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
});

interface AnyUsage {
  prompt_tokens?: number;
  completion_tokens?: number;
  input_tokens?: number;
  output_tokens?: number;
  total_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number };
  input_tokens_details?: { cached_tokens?: number };
  completion_tokens_details?: { reasoning_tokens?: number };
  output_tokens_details?: { reasoning_tokens?: number };
}

/** Responses name their tokens differently from the other formats. */
function addUsage(sum: BatchUsage, { response }: BatchResult): void {
  const { usage } = (response?.body ?? {}) as { usage?: AnyUsage };
  if (!usage) return;
  const input = usage.input_tokens_details ?? usage.prompt_tokens_details;
  const output = usage.output_tokens_details ?? usage.completion_tokens_details;
  sum.input_tokens += usage.input_tokens ?? usage.prompt_tokens ?? 0;
  sum.input_tokens_details.cached_tokens += input?.cached_tokens ?? 0;
  sum.output_tokens += usage.output_tokens ?? usage.completion_tokens ?? 0;
  sum.output_tokens_details.reasoning_tokens += output?.reasoning_tokens ?? 0;
  sum.total_tokens += usage.total_tokens ?? 0;
}
