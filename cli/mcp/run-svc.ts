// Runs a command of svc with `--json` for an agent, in a process of its own: the project's code cannot disturb the protocol, and
// what is cancelled is gone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Env, stopGroup } from '../../lib/sdk/index.js';
import { FRESH_BUILD_VARIABLE, findSvc } from '../../lib/system/index.js';
import { toWhole } from './whole-text.js';

export interface Place {
  /** The project's folder. */
  folder: string;
  env: Env;
}

export interface SvcOptions {
  signal?: AbortSignal | undefined;
  /** Called for each whole line of its notes, which say how far it is. */
  onNote?: ((line: string) => void) | undefined;
  /** Called for each whole line of its result; the command may be stopped then. */
  onLine?: ((line: string) => void) | undefined;
}

export interface SvcRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** For what an agent runs: plain text, of the project's sources as they are now. */
export const toAgentEnv = (env: Env): Env => ({ ...env, NO_COLOR: '1', [FRESH_BUILD_VARIABLE]: '1' });

/** More is never shown to an agent. */
const MOST_CHARACTERS = 32 * 1024 ** 2;

/** Resolves when it has ended, also after it was aborted. */
export async function runSvc(
  args: readonly string[],
  { folder, env }: Place,
  { signal, onNote, onLine }: SvcOptions = {},
): Promise<SvcRun> {
  signal?.throwIfAborted();
  const child = spawn(process.execPath, [...findSvc(), ...withJson(args)], {
    cwd: folder,
    env: toAgentEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  const stdout = collect(child.stdout, onLine);
  const stderr = collect(child.stderr, onNote);
  const closed = once(child, 'close') as Promise<[code: number | null]>;
  const stop = () => void stopGroup(child, closed);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const [exitCode] = await closed;
    return { exitCode, stdout: stdout(), stderr: stderr() };
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Before what may begin with a hyphen. */
function withJson(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const at = end < 0 ? args.length : end;
  return [...args.slice(0, at), '--json', ...args.slice(at)];
}

function collect(stream: NodeJS.ReadableStream, onLine: ((line: string) => void) | undefined): () => string {
  let text = '';
  let partial = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < MOST_CHARACTERS) text += chunk;
    if (!onLine) return;
    const lines = (partial + chunk).split('\n');
    partial = lines.pop()!;
    for (const line of lines) onLine(line);
  });
  return () => text;
}

/** What a command that failed said: its last words, after notes such as that it started the cloud. */
export function reasonOf({ stderr, exitCode }: SvcRun): string {
  const words = /(?:^|\n)svc: ([\s\S]*)$/.exec(stderr)?.[1] ?? stderr;
  return words.trim() || `It ended with exit code ${exitCode}.`;
}

/** The document that a command prints. Throws what it said if it printed none. */
export async function readDocument(
  args: readonly string[],
  place: Place,
  options: Pick<SvcOptions, 'signal' | 'onNote'>,
): Promise<object> {
  const run = await runSvc(args, place, options);
  options.signal?.throwIfAborted();
  try {
    return toWhole(JSON.parse(run.stdout)) as object;
  } catch {
    throw new Error(reasonOf(run));
  }
}

/** The events of a job. */
export async function readEvents(
  place: Place,
  id: string,
  signal: AbortSignal,
): Promise<Record<string, unknown>[]> {
  const events: Record<string, unknown>[] = [];
  const onLine = (line: string) =>
    line.startsWith('{') && events.push(toWhole(JSON.parse(line)) as Record<string, unknown>);
  const run = await runSvc(['jobs', 'logs', '--', id], place, { signal, onLine });
  if (run.exitCode !== 0) throw new Error(reasonOf(run));
  return events;
}
