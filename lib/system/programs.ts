// Paths: this package, the programs of svc's own processes and threads with how to run them, and the files in a cloud's data
// folder. When bundled, the programs are in `dist`, at the paths of their sources; sources need tsx.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

interface Program {
  path: string;
  /** Node's options for the program. */
  execArgv: string[];
}

export const isSource = import.meta.url.endsWith('.ts');

/** Set by Studio for the svc that it starts: it shows the output like a terminal, although it is a pipe. */
export const STUDIO_OUTPUT_VARIABLE = 'SVC_STUDIO_OUTPUT';

/** Set for the svc that an agent starts: a build that is older than its sources is replaced, since no one reads notes about it. */
export const FRESH_BUILD_VARIABLE = 'SVC_FRESH_BUILD';

/** The root folder of this package. */
export function findPackage(folder = dirname(fileURLToPath(import.meta.url))): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (folder === dirname(folder))
    throw new Error('The svc package is incomplete: its package.json is missing.');
  return findPackage(dirname(folder));
}

/** `name`: its source file, relative to the root and without an extension. */
export function findProgram(name: string): Program {
  const root = findPackage();
  return isSource
    ? { path: join(root, `${name}.ts`), execArgv: ['--import', findTsx()] }
    : { path: join(root, 'dist', `${name}.js`), execArgv: [] };
}

/** The arguments for `node` to run `svc` from any working directory. */
export function findSvc(): string[] {
  const { path, execArgv } = findProgram('cli/bin');
  return [...execArgv, path];
}

/** Starts a thread of this process that runs the program. */
export function startThread(name: string, workerData?: unknown): Worker {
  const { path, execArgv } = findProgram(name);
  if (execArgv.length === 0) return new Worker(path, { workerData });
  // Threads do not inherit tsx from their process.
  const urls = [new URL('./esm/api/index.mjs', findTsx()).href, pathToFileURL(path).href];
  const [tsx, program] = urls.map(url => JSON.stringify(url));
  const code = `import(${tsx}).then(({ register }) => { register(); return import(${program}); });`;
  return new Worker(code, { eval: true, workerData, execArgv: [] });
}

/** Relative to this file rather than to the working directory. */
function findTsx(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}

/** The URL of a data folder's cloud, and the secret that identifies it. */
export const cloudFileIn = (folder: string) => join(folder, 'cloud.json');

/** Exists if the last cloud was stopped on purpose. One that crashed or was killed leaves no mark. */
export const stopMarkIn = (folder: string) => join(folder, 'stopped');

/** The cloud's log, one JSON object per line. */
export const logFileIn = (folder: string) => join(folder, 'logs', 'cloud.log');

/** Extensions of rotated logs, newest first. */
export const ROTATED_LOGS: readonly string[] = ['.1', '.2', '.3'];

/** Output of the cloud's processes, until it is copied to the log. */
export const outputFileIn = (folder: string) => join(folder, 'logs', 'output.log');
