// Loads a build in a process of its own, within a time: the project's code may print, throw, end its process or never
// come to an end, and none of that may reach Studio.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { Env } from '../../sdk/index.js';
import { signalGroup } from '../train/process-group.js';
import { LOADER, type Loaded } from './loader.js';

export interface FoundTrainer {
  name: string;
  /** Undefined when it names none. */
  model?: string | undefined;
  maxSteps?: number | undefined;
}

export interface LoadOptions {
  folder: string;
  env: Env;
  limitMs: number;
  signal: AbortSignal;
}

const KEPT_CHARACTERS = 4000;

/** Null when no trainer is registered. Throws what there is to say when it cannot be loaded. */
export async function loadInChild(path: string, options: LoadOptions): Promise<FoundTrainer | null> {
  const { folder, env, limitMs, signal } = options;
  const args = ['--enable-source-maps', '--input-type=module', '-e', LOADER, pathToFileURL(path).href];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const kill = () => signalGroup(child, 'SIGKILL');
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, limitMs);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const { loaded, end, stderr } = await listen(child);
    if (loaded) return readTrainer(loaded);
    throw new Error(isLate ? tookTooLong(limitMs) : endedEarly(end, stderr));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    kill();
  }
}

interface Heard {
  loaded: Loaded | null;
  end: string;
  stderr: string;
}

/** Until it has said what it found, or is gone. */
async function listen(child: ChildProcess): Promise<Heard> {
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_CHARACTERS);
  });
  const said = once(child, 'message').then(([message]) => ({ loaded: message as Loaded, end: '', stderr }));
  const gone = once(child, 'close').then(([code, signal]) => ({
    loaded: null,
    end: signal ? `by ${signal}` : `with code ${code}`,
    stderr,
  }));
  for (const promise of [said, gone]) promise.catch(() => {});
  return Promise.race([said, gone]);
}

function readTrainer(loaded: Loaded): FoundTrainer | null {
  if ('error' in loaded) throw new Error(loaded.error);
  const { trainer } = loaded;
  if (trainer === null) return null;
  return {
    name: String(trainer.name),
    model: typeof trainer.model === 'string' ? trainer.model : undefined,
    maxSteps: Number.isInteger(trainer.maxSteps) ? Number(trainer.maxSteps) : undefined,
  };
}

function tookTooLong(limitMs: number): string {
  return `The entry was not loaded within ${limitMs / 1000} s: something in it waits, or runs, without end.`;
}

function endedEarly(end: string, stderr: string): string {
  const said = stderr.trim();
  return `The entry ended its process ${end} while it was loaded.${said ? `\n${said}` : ''}`;
}
