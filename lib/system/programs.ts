// Where the programs of svc's own processes and threads are, and how to run them. When bundled, each has its place in
// `dist`; sources need tsx.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

export interface Program {
  path: string;
  /** Node's options for running it. */
  execArgv: string[];
}

/** `name`: its file below `lib`, without an extension. */
export function findProgram(name: string): Program {
  const here = fileURLToPath(import.meta.url);
  const isSource = here.endsWith('.ts');
  for (let folder = dirname(here); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) {
      return isSource
        ? { path: join(folder, 'lib', `${name}.ts`), execArgv: ['--import', findModule('tsx')] }
        : { path: join(folder, 'dist', 'lib', `${name}.js`), execArgv: [] };
    }
    if (folder === dirname(folder)) throw new Error(`svc's program ${name} is missing above ${here}.`);
  }
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
