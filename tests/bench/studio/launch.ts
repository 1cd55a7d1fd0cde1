// From the start of `svc dev` to the first byte of its page, and to the list of jobs on the screen, with the local cloud
// running and not. The project has one finished run.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type ProgramOptions, runProgram, startProgram } from '../../support/program.js';
import { repositoryRoot } from '../../support/repository-root.js';
import { median } from '../median.js';
import type { Row } from '../table.js';

const LAUNCHES = 5;
const ENTRY = `import { createService, createTrainer } from 'svc';
const trainer = createTrainer({ name: 'bench', dataset: { type: 'file', path: 'data/train.jsonl' }, maxSteps: 1 });
export const service = createService({ trainer });
`;

export async function measureLaunches(browser: Browser): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const place = { cwd: join(home, 'app'), env: { SVC_HOME: join(home, '.svc'), CI: '1' } };
  try {
    await mkdir(place.cwd);
    await runProgram(['init'], place);
    await mkdir(join(place.cwd, 'node_modules'));
    await symlink(repositoryRoot, join(place.cwd, 'node_modules', 'svc'));
    await writeFile(join(place.cwd, 'src', 'svc', 'index.ts'), ENTRY);
    await runProgram(['start'], place);
    const warm = await launchTimes(browser, place, async () => {});
    const cold = await launchTimes(
      browser,
      place,
      async () => void (await runProgram(['cloud', 'stop'], place)),
    );
    return [
      { what: 'svc dev to the first byte of the page', value: median(warm.map(({ page }) => page)) },
      { what: '… to the painted list of jobs', value: median(warm.map(({ list }) => list)) },
      { what: '… the same, and the local cloud is started too', value: median(cold.map(({ list }) => list)) },
    ];
  } finally {
    await startProgram(['cloud', 'stop'], place).ended;
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function launchTimes(browser: Browser, place: ProgramOptions, prepare: () => Promise<void>) {
  const times: { page: number; list: number }[] = [];
  for (let launch = 0; launch < LAUNCHES; launch++) {
    await prepare();
    times.push(await launchOnce(browser, place));
  }
  return times;
}

async function launchOnce(browser: Browser, place: ProgramOptions): Promise<{ page: number; list: number }> {
  const began = performance.now();
  const program = startProgram(['dev', '--port', '0', '--no-tui'], place);
  const url = await new Promise<string>((resolve, reject) => {
    program.onLine(line => {
      const found = /^Studio is running at (\S+)/.exec(line);
      if (found) resolve(found[1]!);
    });
    void program.ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  await (await fetch(url)).body!.getReader().read();
  const page = performance.now() - began;
  const tab = await browser.newPage();
  await tab.goto(`${url}/#/jobs`, { waitUntil: 'commit' });
  await tab.getByRole('link', { name: 'bench' }).waitFor();
  const list = performance.now() - began;
  await tab.close();
  program.child.kill('SIGTERM');
  await program.ended;
  return { page, list };
}
