// The real thing in temporary folders: a project as `svc init` makes it, `svc dev` with the local cloud, and a page of it
// in Chromium. Needs `npm run build`.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { handsOf } from '../browser/hands.js';
import { launchChromium } from '../support/chromium.js';
import { PATIENCE_MS } from '../support/patience.js';
import { type ProgramOptions, type RunningProgram, runProgram, startProgram } from '../support/program.js';
import { repositoryRoot } from '../support/repository-root.js';
import { untilFile } from '../support/until-file.js';

export interface RealStudio extends ReturnType<typeof handsOf> {
  page: Page;
  place: ProgramOptions;
  /** What the page complained about. */
  complaints: string[];
  cloudPid(): Promise<number>;
  close(): Promise<void>;
}

/** Chromium's own notes of answers that are no success, and of connections that break. */
const EXPECTED = /Failed to load resource|net::ERR/;

/** `entry` is the source of the project's entry file. */
export async function openRealStudio(entry: string): Promise<RealStudio> {
  const home = await mkdtemp(join(tmpdir(), 'svc-real-'));
  const place = { cwd: join(home, 'my app'), env: { SVC_HOME: join(home, '.svc'), CI: '1' } };
  let program: RunningProgram | undefined;
  let browser: Browser | undefined;

  async function close(): Promise<void> {
    await browser?.close();
    program?.child.kill('SIGTERM');
    await program?.ended;
    await startProgram(['cloud', 'stop'], place).ended;
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    await makeProject(place, entry);
    program = startProgram(['dev', '--port', '0', '--no-tui'], place);
    browser = await launchChromium();
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints: string[] = [];
    page.on('pageerror', error => complaints.push(String(error)));
    page.on('console', message => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text());
    });
    const { url } = await readJson<{ url: string }>(join(place.cwd, '.svc', 'studio.json'));
    await page.goto(url);
    const cloudPid = async () =>
      (await readJson<{ pid: number }>(join(home, '.svc', 'cloud', 'cloud.json'))).pid;
    return { ...handsOf(page), page, place, complaints, cloudPid, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeProject(place: ProgramOptions, entry: string): Promise<void> {
  await mkdir(place.cwd);
  await runProgram(['init'], place);
  await mkdir(join(place.cwd, 'node_modules'));
  await symlink(repositoryRoot, join(place.cwd, 'node_modules', 'svc'));
  await symlink(join(repositoryRoot, 'node_modules', 'openai'), join(place.cwd, 'node_modules', 'openai'));
  await writeEntry(place, entry);
}

export async function writeEntry(place: ProgramOptions, source: string): Promise<void> {
  await writeFile(join(place.cwd, 'src', 'svc', 'index.ts'), source);
}

/** As soon as the file is there. */
async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await untilFile(path)) as T;
}
