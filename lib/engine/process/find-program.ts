// Where the programs of svc's own processes and threads lie, and what they need to be run from their sources.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface OwnProgram {
  path: string;
  /** Translates sources: imported first by a process, required first by a thread. Null where the program is built. */
  translator: { inProcess: string; inThread: string } | null;
}

/** A file below `lib`, without its extension. Bundled code lies anywhere in `dist`, a program at one place in it. */
export function findProgram(file: readonly string[]): OwnProgram {
  const here = fileURLToPath(import.meta.url);
  const isSource = here.endsWith('.ts');
  for (let folder = dirname(here); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) {
      const path = join(folder, ...(isSource ? ['lib'] : ['dist', 'lib']), ...file);
      return { path: `${path}${isSource ? '.ts' : '.js'}`, translator: isSource ? findTranslator() : null };
    }
    if (folder === dirname(folder)) throw new Error(`svc's package.json is missing above ${here}.`);
  }
}

/** Found from here and not from the folder that this process is in. */
function findTranslator(): { inProcess: string; inThread: string } {
  const { resolve } = createRequire(import.meta.url);
  return { inProcess: pathToFileURL(resolve('tsx')).href, inThread: resolve('tsx/cjs') };
}
