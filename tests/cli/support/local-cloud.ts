// Homes for real local clouds of the tiny model, and `svc` there: one for each test, or one for all tests of a `describe`.
import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { findProcesses, type Home, openHome } from '../../sdk/local-cloud/homes.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { callCli } from './terminal.js';

export function localCloud({ of = 'each' }: { of?: 'each' | 'all' } = {}) {
  const place = {} as { home: Home; model: string };
  const children: ChildProcess[] = [];
  const [before, after] = of === 'each' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  beforeAll(async () => {
    place.model = await makeModelFolder();
  });
  afterAll(() => rm(place.model, { recursive: true }));
  before(async () => {
    place.home = await openHome();
  });
  after(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await place.home.close();
  });
  const svc = (line: string, env: Record<string, string> = {}) =>
    callCli(line.split(' '), { cwd: place.home.path, env: { ...place.home.env, ...env } });
  return Object.assign(place, {
    svc,
    /** What it answers with `--json`. */
    json: async (line: string) => JSON.parse((await svc(`${line} --json`)).stdout),
    /** A process that ends with the test. */
    spawn(args: readonly string[]) {
      const env = place.home.env as NodeJS.ProcessEnv;
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      return child;
    },
    path: (...names: string[]) => join(place.home.folder, ...names),
    processes: () => findProcesses(place.home.folder),
  });
}
