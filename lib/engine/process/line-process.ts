// Starts a program in another language, which speaks JSON over its pipes, one object per line. Its errors go to the log.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { type Clock, realClock } from '../../clock/index.js';
import type { HeartbeatLimits } from './heartbeat.js';
import { startOrFail, type WorkerProcess, watchProcess } from './worker-process.js';

export interface Program {
  path: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** Shows that it is alive, and how long its main thread has been busy. The first one starts the watch. */
type Beat = { type: 'beat'; busyMs: number };

export function startLineProcess<Out extends { type: string }, In>(
  onMessage: (message: Out) => void,
  { path, args, env }: Program,
  { limits, clock = realClock }: { limits: HeartbeatLimits; clock?: Clock },
): WorkerProcess<In> {
  const child = startOrFail(() => spawn(path, args, { env, stdio: ['pipe', 'pipe', 'inherit'] }));
  const beats = new PassThrough();
  readLines(child, line => {
    const message = parse<Out | Beat>(line);
    if (message === null) process.stderr.write(`${line}\n`);
    else if (isBeat(message)) beats.write(`${message.busyMs} 0 0\n`);
    else onMessage(message);
  });
  // It ends when its input does, and its exit says how.
  child.stdin?.on('error', () => {});
  const channel = {
    send: (message: In) => void child.stdin?.write(`${JSON.stringify(message)}\n`),
    close: () => void child.stdin?.end(),
    ended: 'close' as const,
    refs: () => [],
  };
  return watchProcess(child, channel, { low: true, limits, clock, beats });
}

function readLines({ stdout }: ChildProcess, onLine: (line: string) => void): void {
  if (stdout) createInterface({ input: stdout }).on('line', onLine);
}

const isBeat = (message: { type: string }): message is Beat => message.type === 'beat';

/** Null for what is no message: something else in the program may have printed it. */
function parse<Message>(line: string): Message | null {
  try {
    const content: unknown = JSON.parse(line);
    const isMessage = typeof content === 'object' && content !== null && 'type' in content;
    return isMessage ? (content as Message) : null;
  } catch {
    return null;
  }
}
