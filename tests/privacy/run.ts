// npm run privacy: takes svc through everything it does, and fails if anything leaves this machine.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findBreaches } from './verdict.js';
import { watchProgram, whyNotWatched } from './watch.js';

const tour = fileURLToPath(new URL('tour/index.ts', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

async function check(): Promise<string[]> {
  const reason = whyNotWatched();
  if (reason) return [`Nothing was checked: ${reason}.`];
  const folder = mkdtempSync(join(tmpdir(), 'svc-privacy-'));
  try {
    // tsx caches in the temporary folder, which svc must leave empty.
    const apart = ['env', `TMPDIR=${join(folder, 'recorder')}`];
    const watched = await watchProgram(folder, [...apart, process.execPath, '--import', tsx, tour]);
    console.log(`\nFiles in the home folder:\n${watched.home.map(file => `  ${file}`).join('\n')}`);
    return findBreaches(watched);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (!existsSync(new URL('../../dist/cli/bin.js', import.meta.url)))
  throw new Error('dist/cli/bin.js is missing: run `npm run build` first.');
console.log('Watching what svc connects to and writes:');
const breaches = await check();
console.log(breaches.length === 0 ? '\nNothing left this machine.' : `\n${breaches.join('\n')}`);
process.exitCode = breaches.length === 0 ? 0 : 1;
