// `svc start` as a child of Studio: its output as bytes, the job it reports, and stopping it with everything it
// started. It gets its own process group, so that Ctrl-C in the terminal does not reach it.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Clock, realClock } from '../../clock/index.js';
import { type Env, JOB_MESSAGE, signalGroup, stopGroup } from '../../sdk/index.js';
import { findSvc, STUDIO_OUTPUT_VARIABLE } from '../../system/index.js';

interface TrainHooks {
  onOutput(bytes: Uint8Array): void;
  /** The job it follows. */
  onJob(jobId: string): void;
}

export interface TrainChild {
  /** The exit code, once it has exited. */
  readonly exited: Promise<number>;
  /** Resolves when there is no more output. */
  readonly drained: Promise<void>;
  /** Asks it to exit, and kills it if it does not. */
  stop(): Promise<void>;
  /** Asks it to exit without waiting. */
  abandon(): void;
}

/** `args` are further arguments of `svc start`. */
export type StartTrain = (hooks: TrainHooks, args?: readonly string[]) => Promise<TrainChild>;

/** Runs `svc start` in a project folder. */
export function startTrainIn(folder: string, env: Env, clock?: Clock): StartTrain {
  return (hooks, args = []) =>
    spawnTrain(
      [...findSvc(), 'start', ...args],
      { cwd: folder, env: { ...env, [STUDIO_OUTPUT_VARIABLE]: '1' }, ...(clock && { clock }) },
      hooks,
    );
}

/** Starts node with these arguments. Rejects if it cannot be started. @internal */
export async function spawnTrain(
  nodeArgs: readonly string[],
  { clock = realClock, ...options }: Pick<SpawnOptions, 'cwd' | 'env'> & { clock?: Clock },
  hooks: TrainHooks,
): Promise<TrainChild> {
  const shared = await openSharedOutput();
  const output = shared?.writer ?? 'pipe';
  const child = spawn(process.execPath, nodeArgs, {
    ...options,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output, output, 'ipc'],
  });
  shared?.writer.destroy();
  child.on('error', () => {});
  const exited = once(child, 'exit').then(([code, signal]) => toExitCode(code, signal));
  exited.catch(() => {});
  const readers = shared ? [shared.reader] : [child.stdout!, child.stderr!];
  const drained = drain(readers, hooks.onOutput, exited, clock);
  child.on('message', message => {
    const jobId = readJobId(message);
    if (jobId !== null) hooks.onJob(jobId);
  });
  await once(child, 'spawn');
  return {
    exited,
    drained,
    stop: () => stopGroup(child, exited, clock),
    abandon: () => abandon(child),
  };
}

const LAST_OUTPUT_MS = 1000;

/** Grandchildren may outlive the child and hold its outputs open, so they are not waited for indefinitely. */
async function drain(
  readers: readonly Readable[],
  onOutput: (bytes: Uint8Array) => void,
  exited: Promise<unknown>,
  clock: Clock,
): Promise<void> {
  const closed = readers.map(reader => {
    reader.on('data', onOutput);
    reader.on('error', () => {});
    return new Promise<void>(resolve => reader.once('close', resolve));
  });
  const cut = () => readers.forEach(reader => void reader.destroy());
  const cutting = exited.then(
    () => clock.after(LAST_OUTPUT_MS, cut),
    () => cut(),
  );
  await Promise.all(closed);
  void cutting.then(timer => timer?.stop());
}

function abandon(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) signalGroup(child, 'SIGTERM');
}

/** A signal maps to 128 + its number, as in a shell. */
function toExitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}

/** Null for other messages, which the project's code may send from the same process. */
function readJobId(message: unknown): string | null {
  const { type, jobId } = (message ?? {}) as { type?: unknown; jobId?: unknown };
  return type === JOB_MESSAGE && typeof jobId === 'string' ? jobId : null;
}

interface SharedOutput {
  /** Where the child's output arrives. */
  reader: Socket;
  /** Passed to the child as stdout and stderr; close it here after that. */
  writer: Socket;
}

/**
 * One socket for both stdout and stderr of a child, so that output arrives in the order it was printed. With two pipes, the
 * order would be lost. Null if the system has no such sockets, or no room for one.
 */
async function openSharedOutput(): Promise<SharedOutput | null> {
  const server = createServer();
  let folder = '';
  try {
    folder = await mkdtemp(join(tmpdir(), 'svc-'));
    const path = join(folder, 'output');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    accepted.catch(() => {});
    server.listen(path);
    await once(server, 'listening');
    const writer = connect(path);
    const [[reader]] = await Promise.all([accepted, once(writer, 'connect')]);
    return { reader, writer };
  } catch {
    return null;
  } finally {
    server.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}
