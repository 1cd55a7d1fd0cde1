// What the project's trainer would train on. Its data may come from project code, so a separate process reads
// and uploads it and reports the job config, or writes its rows; the cloud provides the rest.
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ApiError, type JobConfigInput } from '../../contract/index.js';
import { type Env, makeTemporaryFolder, signalGroup } from '../../sdk/index.js';
import { findSvc } from '../../system/index.js';

export interface TrainerData {
  /** The config from the last call, unless `reload` is set. */
  config(reload: boolean): Promise<JobConfigInput>;
  /** Its rows as JSON lines. */
  rows(): Promise<ReadableStream<Uint8Array>>;
  /** Stops a process in progress. */
  close(): void;
}

/** A process's output and how it ended. */
interface Printed {
  stdout: string;
  stderr: string;
  exitCode: number | null;
}

export type RunData = (args: readonly string[], signal: AbortSignal) => Promise<Printed>;

/** Runs a command of `svc data` in a project folder. To look at data costs nothing, so no teacher is asked. */
export function runDataIn(folder: string, env: Env): RunData {
  return (args, signal) => print([...findSvc(), 'data', ...args, '--no-ask', '--json'], folder, env, signal);
}

/** `build` builds the project, so that the process runs its latest code. */
export function createTrainerData(run: RunData, build: () => Promise<unknown>): TrainerData {
  const closed = new AbortController();
  let known: Promise<JobConfigInput> | null = null;

  async function read(): Promise<JobConfigInput> {
    await build();
    return toConfig(await run(['check'], closed.signal));
  }

  return {
    config(reload) {
      if (known && !reload) return known;
      const reading = read();
      known = reading;
      reading.catch(() => {
        if (known === reading) known = null;
      });
      return reading;
    },
    async rows() {
      await build();
      const temporary = await makeTemporaryFolder('svc-rows');
      const remove = () => rm(temporary, { recursive: true, force: true });
      try {
        const path = join(temporary, 'rows.jsonl');
        const printed = await run(['rows', '--out', path], closed.signal);
        if (printed.exitCode !== 0) throw toError(printed, 'rows');
        const file = createReadStream(path);
        file.once('close', () => void remove());
        return Readable.toWeb(file) as ReadableStream<Uint8Array>;
      } catch (error) {
        await remove();
        throw error;
      }
    },
    close: () => closed.abort(),
  };
}

/** Notes, and the name before the error. */
const BEFORE_REASON = /^(?:.*\n)*?(?:svc|error): /i;

function toConfig(printed: Printed): JobConfigInput {
  try {
    return (JSON.parse(printed.stdout) as { config: JobConfigInput }).config;
  } catch {
    throw toError(printed, 'check');
  }
}

function toError({ stderr, exitCode }: Printed, command: 'check' | 'rows'): ApiError {
  const reason = stderr.trim() || `svc data ${command} exited with code ${exitCode}.`;
  return new ApiError('dataset_invalid', reason.replace(BEFORE_REASON, ''));
}

const MOST_CHARACTERS = 64 * 1024;

function print(nodeArgs: readonly string[], folder: string, env: Env, signal: AbortSignal): Promise<Printed> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, nodeArgs, {
    cwd: folder,
    env: { ...env, NO_COLOR: '1' },
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += name === 'stdout' ? text : text.slice(0, MOST_CHARACTERS - printed.stderr.length);
    });
  const kill = () => signalGroup(child, 'SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  return new Promise<Printed>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', exitCode => resolve({ ...printed, exitCode }));
  }).finally(() => signal.removeEventListener('abort', kill));
}
