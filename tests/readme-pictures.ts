// `npm run readme-pictures`: both faces of `svc dev` in the middle of a real training of the first example, for the README.
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from './support/chromium.js';
import { askProgram, startProgram } from './support/program.js';
import { repositoryRoot } from './support/source-tree.js';
import { toSvg } from './terminal/pictures/to-svg.js';
import { openScreen } from './terminal/support/screen.js';

const SIZE = { columns: 110, rows: 34 };
const pictures = join(repositoryRoot, 'docs', 'images');
const home = await mkdtemp(join(tmpdir(), 'svc-pictures-'));
const cwd = join(home, 'support-triage');
const env = { PATH: process.env.PATH!, HOME: home, LANG: 'C.UTF-8', SVC_HOME: join(home, '.svc') };

await mkdir(pictures, { recursive: true });
await cp(join(repositoryRoot, 'examples', 'support-triage'), cwd, { recursive: true });
await mkdir(join(home, 'node_modules'));
await symlink(repositoryRoot, join(home, 'node_modules', 'svc'));

const bin = join(repositoryRoot, 'dist', 'cli', 'bin.js');
const screen = openScreen({
  file: process.execPath,
  args: [bin, 'dev', '--port', '0'],
  cwd,
  env,
  size: SIZE,
});
const browser = await launchChromium();
try {
  await screen.shows('1 Overview', 'anonymous');
  const url = /http:\/\/localhost:\d+/.exec(screen.text())![0];
  screen.press('R');
  await screen.shows('step 40/');
  screen.press('2');
  await screen.shows('running');
  screen.press('enter');
  await screen.shows('step=250 ');
  const { jobs } = await askProgram<{ jobs: { id: string }[] }>(['jobs', 'list'], { cwd, env });
  const page = await browser.newPage({ viewport: { width: 1100, height: 760 }, colorScheme: 'light' });
  await page.goto(`${url}/#/jobs/${jobs[0]!.id}`);
  await page.getByText('step=250 ').waitFor();
  await page.screenshot({ path: join(pictures, 'browser.png') });
  await drawTerminal(await browser.newPage({ deviceScaleFactor: 1.25 }));
} finally {
  await browser.close();
  screen.kill('SIGTERM');
  await screen.exited;
  await startProgram(['cloud', 'stop'], { cwd, env }).ended;
  await rm(home, { recursive: true, force: true });
}

async function drawTerminal(page: Page): Promise<void> {
  await page.setContent(`<body style="margin:0">${toSvg(screen.cells())}</body>`);
  await page.locator('svg').screenshot({ path: join(pictures, 'terminal.png') });
}
