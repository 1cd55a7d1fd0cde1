// A teacher's answers in the project's own folder, a line each, in a file that only grows: what was answered is never asked for
// again, even if the process is killed right after.
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { makeFolder } from '../files/files.js';
import { appendLines, cutAfter, wholeLines } from '../files/lines.js';
import { statePath } from '../session/project.js';
import type { NamedToken } from './logprobs.js';
import type { Tokens } from './spending.js';

export interface KnownAnswer {
  /** What was asked, as `Ask` has it. */
  readonly key: string;
  /** Null if there is no text. */
  readonly answer: string | null;
  readonly toolCalls?: readonly unknown[] | undefined;
  /** What the teacher expected at each token of it, if that was asked for. */
  readonly logprobs?: readonly (readonly NamedToken[])[] | undefined;
  readonly finishReason: string | null;
  /** As the teacher counts them; null if it does not. */
  readonly tokens: Tokens | null;
  readonly maxTokens: number;
  /** Why the teacher refuses this request, which it would again. */
  readonly refusal?: string | undefined;
}

/** One file for each teacher. */
export function answersPath(folder: string, { baseURL, model }: { baseURL: string; model: string }): string {
  const digest = createHash('sha256')
    .update(`${baseURL.replace(/\/+$/, '')}\n${model}`)
    .digest('hex');
  return join(dirname(statePath(folder)), 'distilled', `${nameOf(model)}-${digest.slice(0, 8)}.jsonl`);
}

/** A model's name as a part of a file's. */
export function nameOf(model: string): string {
  const words = model.toLowerCase().replace(/[^a-z0-9.]+/g, '-');
  return words.replace(/^[-.]+|[-.]+$/g, '').slice(0, 60) || 'teacher';
}

export interface AnswerLog {
  /** The answers to these keys. The last one to each counts. */
  readonly known: ReadonlyMap<string, KnownAnswer>;
  /** Returns once the answer is on disk. */
  add(answer: KnownAnswer): Promise<void>;
}

/** Changes nothing. A line that was cut off or damaged is no answer. */
export async function readAnswers(
  path: string,
  keys: Pick<ReadonlySet<string>, 'has'>,
): Promise<{ known: Map<string, KnownAnswer>; end: number }> {
  const known = new Map<string, KnownAnswer>();
  let end = 0;
  for await (const found of wholeLines(path)) {
    end = found.end;
    const answer = readLine(found.line);
    if (answer && keys.has(answer.key)) known.set(answer.key, answer);
  }
  return { known, end };
}

/** The caller holds the lock of the file, so that no other process writes to it. */
export async function openAnswerLog(
  path: string,
  keys: Pick<ReadonlySet<string>, 'has'>,
): Promise<AnswerLog> {
  makeFolder(dirname(path), { mode: 0o700 });
  const { known, end } = await readAnswers(path, keys);
  await cutAfter(path, end);
  let waiting: KnownAnswer[] = [];
  let writing: Promise<void> = Promise.resolve();

  /** Together with those that arrive while the disk is busy. */
  async function write(): Promise<void> {
    const answers = waiting;
    waiting = [];
    if (answers.length === 0) return;
    await appendLines(
      path,
      answers.map(answer => JSON.stringify(answer)),
      0o600,
    );
    for (const answer of answers) known.set(answer.key, answer);
  }

  return {
    known,
    add(answer) {
      waiting.push(answer);
      writing = writing.then(write);
      return writing;
    },
  };
}

function readLine(line: string): KnownAnswer | null {
  try {
    const found = JSON.parse(line) as KnownAnswer | null;
    return typeof found?.key === 'string' ? found : null;
  } catch {
    return null;
  }
}
