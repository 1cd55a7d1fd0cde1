// Where the engine's programs are, and what starts them: bundled code lies anywhere in `dist`, each program at one place
// in it.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

export interface Program {
  path: string;
  /** What Node needs to run it: nothing for built code, tsx for sources. */
  execArgv: string[];
}

/** A thread of this process that runs the program. */
export function startThread(name: 'prompt-thread', workerData: unknown): Worker {
  const { path, execArgv } = findProgram(name);
  if (execArgv.length === 0) return new Worker(path, { workerData });
  // In a thread, sources run only after tsx was called by hand.
  const urls = [new URL('./esm/api/index.mjs', findModule('tsx')).href, pathToFileURL(path).href];
  const [tsx, program] = urls.map(url => JSON.stringify(url));
  const code = `import(${tsx}).then(({ register }) => { register(); return import(${program}); });`;
  return new Worker(code, { eval: true, workerData, execArgv: [] });
}

/** `worker` is the engine's process, `prompt-thread` a thread of it. */
export function findProgram(name: 'worker' | 'prompt-thread'): Program {
  const here = fileURLToPath(import.meta.url);
  const isSource = here.endsWith('.ts');
  const file = ['lib', 'engine', `${name}${isSource ? '.ts' : '.js'}`];
  for (let folder = dirname(here); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) {
      return isSource
        ? { path: join(folder, ...file), execArgv: ['--import', findModule('tsx')] }
        : { path: join(folder, 'dist', ...file), execArgv: [] };
    }
    if (folder === dirname(folder)) throw new Error(`The engine's ${name} is missing above ${here}.`);
  }
}

/** Found from here and not from the folder that this process is in. */
function findModule(name: string): string {
  return pathToFileURL(createRequire(import.meta.url).resolve(name)).href;
}
