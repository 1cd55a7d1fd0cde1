// Where things are: this package, the programs of svc's own processes and threads with how to run them, and the files of a
// cloud's data folder. When bundled, the programs are in `dist`, at the paths of their sources; sources need tsx.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

interface Program {
  path: string;
  /** Node's options for running it. */
  execArgv: string[];
}

export const isSource = import.meta.url.endsWith('.ts');

/** Set by Studio for the svc that it starts: its box shows the output as a terminal does, though it is a pipe. */
export const STUDIO_OUTPUT_VARIABLE = 'SVC_STUDIO_OUTPUT';

/** The root folder of this package. */
export function findPackage(folder = dirname(fileURLToPath(import.meta.url))): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (folder === dirname(folder))
    throw new Error('The svc package is incomplete: its package.json is missing.');
  return findPackage(dirname(folder));
}

/** `name`: its source file, from the root and without an extension. */
export function findProgram(name: string): Program {
  const root = findPackage();
  return isSource
    ? { path: join(root, `${name}.ts`), execArgv: ['--import', findModule('tsx')] }
    : { path: join(root, 'dist', `${name}.js`), execArgv: [] };
}

/** The arguments for `node` to run `svc` from any working directory. */
export function findSvc(): string[] {
  const { path, execArgv } = findProgram('cli/bin');
  return [...execArgv, path];
}

/** A thread of this process that runs the program. */
export function startThread(name: string, workerData?: unknown): Worker {
  const { path, execArgv } = findProgram(name);
  if (execArgv.length === 0) return new Worker(path, { workerData });
  // Threads do not inherit tsx from their process.
  const urls = [new URL('./esm/api/index.mjs', findModule('tsx')).href, pathToFileURL(path).href];
  const [tsx, program] = urls.map(url => JSON.stringify(url));
  const code = `import(${tsx}).then(({ register }) => { register(); return import(${program}); });`;
  return new Worker(code, { eval: true, workerData, execArgv: [] });
}

/** Found relative to this file rather than the process's folder. */
function findModule(name: string): string {
  return pathToFileURL(createRequire(import.meta.url).resolve(name)).href;
}

/** How to reach the cloud of a data folder, and the secret it is known by. */
export const cloudFileIn = (folder: string) => join(folder, 'cloud.json');

/** Exists if the last cloud was stopped on purpose. One that crashed or was killed leaves no mark. */
export const stopMarkIn = (folder: string) => join(folder, 'stopped');

/** The cloud's log, one JSON object per line. */
export const logFileIn = (folder: string) => join(folder, 'logs', 'cloud.log');

/** The endings of rotated logs, newest first. */
export const ROTATED_LOGS: readonly string[] = ['.1', '.2', '.3'];

/** What the cloud's processes print, until it is copied to the log. */
export const outputFileIn = (folder: string) => join(folder, 'logs', 'output.log');
