// A program of the tests, for a process of its own. Where svc's programs run from `dist` it is bundled as they are: it
// starts in a tenth of the time, and the processes that svc starts there run from `dist`, too.
import { rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUNDLING } from '../../bundling.mjs';
import { isSource } from '../../lib/system/programs.js';
import { repositoryRoot } from './repository-root.js';

/** From here, its packages and svc's own are found. */
const BUNDLES = join(repositoryRoot, 'node_modules', '.cache', 'test-programs');

const bundles = new Map<string, Promise<string>>();

/** `source`: its path. What Node is started with. */
export async function findTestProgram(source: string): Promise<{ path: string; execArgv: string[] }> {
  if (isSource) {
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    return { path: source, execArgv: ['--import', tsx] };
  }
  const path = bundles.get(source) ?? bundleTestProgram(source);
  bundles.set(source, path);
  return { path: await path, execArgv: [] };
}

/** The path of the bundle. */
export async function bundleTestProgram(source: string): Promise<string> {
  const path = join(BUNDLES, `${relative(repositoryRoot, source).replaceAll(/[\\/]/g, '-')}.mjs`);
  // Another process may be starting it.
  const outfile = `${path}.${process.pid}`;
  const place = { absWorkingDir: repositoryRoot, entryPoints: [source], outfile };
  await build({ ...BUNDLING, ...place, splitting: false });
  await rename(outfile, path);
  return path;
}
