// Inspects a build in a separate process with a time limit: the project's code may print, throw, exit or hang, and none
// of that may affect us.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Clock, realClock } from '../../clock/index.js';
import type { Env } from '../files/files.js';
import { signalGroup } from '../processes.js';
import { chooseService, SERVICE_MARK } from '../service.js';
import { describeOptionError } from './option-place.js';

export interface FoundTrainer {
  name: string;
  /** Undefined if the trainer names none. */
  model?: string | undefined;
  maxSteps?: number | undefined;
  data: FoundData;
}

/** What is known about a data set without reading it. */
export interface FoundData {
  name?: string | undefined;
  rows?: number | undefined;
  /** The file's path as the trainer specifies it. */
  path?: string | undefined;
}

interface FoundService {
  trainer: FoundTrainer | null;
}

interface InspectOptions {
  folder: string;
  env: Env;
  limitMs: number;
  signal: AbortSignal;
  clock?: Clock;
}

const KEPT_CHARACTERS = 4000;

/** The exported service; null if there is none. Throws the reason if the build cannot be loaded. */
export async function inspectBuild(path: string, options: InspectOptions): Promise<FoundService | null> {
  const { folder, env, limitMs, signal, clock = realClock } = options;
  signal.throwIfAborted();
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
  const timer = clock.after(limitMs, () => {
    isLate = true;
    kill();
  });
  signal.addEventListener('abort', kill, { once: true });
  try {
    const { loaded, end, stderr } = await listen(child);
    if (loaded) return readService(loaded, folder);
    signal.throwIfAborted();
    throw new Error(isLate ? tookTooLong(limitMs) : endedEarly(end, stderr));
  } finally {
    timer.stop();
    signal.removeEventListener('abort', kill);
    kill();
  }
}

interface Heard {
  loaded: Loaded | null;
  end: string;
  stderr: string;
}

/** Waits until the child has reported or exited. */
async function listen(child: ChildProcess): Promise<Heard> {
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_CHARACTERS);
  });
  const reported = once(child, 'message').then(([message]) => ({
    loaded: message as Loaded,
    end: '',
    stderr,
  }));
  const closed = once(child, 'close').then(([code, signal]) => ({
    loaded: null,
    end: signal ? `signal ${signal}` : `code ${code}`,
    stderr,
  }));
  for (const promise of [reported, closed]) promise.catch(() => {});
  return Promise.race([reported, closed]);
}

function readService(loaded: Loaded, folder: string): FoundService | null {
  if ('error' in loaded) throw new Error(describeOptionError(loaded.thrown, folder) ?? loaded.error);
  const chosen = chooseService(loaded.services);
  if (chosen === null) return null;
  const trainer = loaded.trainers[chosen];
  if (!trainer) return { trainer: null };
  return {
    trainer: {
      name: String(trainer.name),
      model: typeof trainer.model === 'string' ? trainer.model : undefined,
      maxSteps: Number.isInteger(trainer.maxSteps) ? Number(trainer.maxSteps) : undefined,
      data: readData(trainer.dataset ?? {}),
    },
  };
}

/** A URL may contain secrets, so only its file name is kept. */
function readData({ path, name, url, rows }: NonNullable<LoadedTrainer['dataset']>): FoundData {
  if (typeof rows === 'number') return { rows };
  if (typeof path === 'string') return { name: basename(path), path };
  if (typeof url === 'string' && URL.canParse(url))
    return { name: basename(new URL(url).pathname) || undefined };
  return { name: typeof name === 'string' ? name : undefined };
}

function tookTooLong(limitMs: number): string {
  return `The entry did not load within ${limitMs / 1000} s: something in it never finishes.`;
}

function endedEarly(end: string, stderr: string): string {
  const output = stderr.trim();
  return `The entry exited while loading (${end}).${output ? `\n${output}` : ''}`;
}

interface LoadedTrainer {
  name?: unknown;
  model?: unknown;
  maxSteps?: unknown;
  /** `rows`: the number of rows. */
  dataset?: { path?: unknown; name?: unknown; url?: unknown; rows?: unknown };
}

/** The only message. Trainers come from the project's copy of this package, so nothing about them is certain. */
type Loaded =
  | {
      /** Export names to service numbers; a number is also the index of the service's trainer. */
      services: Record<string, number>;
      trainers: (LoadedTrainer | null)[];
    }
  | { error: string; thrown: object };

/**
 * Loads a build, whose URL is its only argument, and reports over IPC what it found. It runs in its own process, so it is
 * plain text and imports none of our code.
 */
const LOADER = `
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const isService = value => typeof value === 'object' && value !== null && Symbol.for('${SERVICE_MARK}') in value;
const send = process.send.bind(process);
process.on('disconnect', () => process.exit());
process.channel.unref();

async function load(address) {
  const module = await import(address);
  const exported = Object.entries(module).filter(([, value]) => isService(value));
  const services = [...new Set(exported.map(([, service]) => service))];
  return {
    services: Object.fromEntries(exported.map(([name, service]) => [name, services.indexOf(service)])),
    trainers: services.map(({ trainer }) => trainer && summarize(trainer)),
  };
}

function summarize({ name, options }) {
  const { path, name: own, url, rows, teacher } = options?.dataset ?? {};
  const called = teacher ? 'answers of ' + teacher.model : own;
  const dataset = { path, name: called, url: url && String(url), rows: Array.isArray(rows) ? rows.length : undefined };
  return { name, model: options?.model, maxSteps: options?.maxSteps, dataset };
}

const places = [process.cwd() + sep, pathToFileURL(process.cwd()).href + '/'];
const foreign = /\\[eval\\d*\\]|[\\\\/]node_modules[\\\\/]/;
const isOwn = line => /^\\s+at /.test(line) && places.some(place => line.includes(place)) && !foreign.test(line);

function describe(error) {
  if (!(error instanceof Error)) return 'The entry threw: ' + String(error);
  const name = error.name === 'Error' ? '' : error.name + ': ';
  const frames = String(error.stack).split('\\n').filter(isOwn).slice(0, 3);
  return ['The entry threw: ' + name + error.message, ...frames].join('\\n');
}

const written = error =>
  Object.fromEntries(['code', 'message', 'stack'].map(name => [name, String(error?.[name])]));

const loaded = await load(process.argv[1]).catch(error => ({ error: describe(error), thrown: written(error) }));
send(loaded, () => process.exit());
`;
