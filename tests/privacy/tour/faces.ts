// Both faces: Studio as a browser loads it, with a training run, and the dashboard in a terminal.
import { join } from 'node:path';
import { findStudio } from '../../../lib/sdk/index.js';
import { type ProgramOptions, runProgram, startProgram } from '../../support/program.js';
import { repositoryRoot } from '../../support/repository-root.js';
import { openScreen } from '../../terminal/support/screen.js';

export async function openStudio(place: ProgramOptions): Promise<void> {
  const program = startProgram(['dev', '--port', '0'], place);
  await new Promise<void>(resolve => program.onLine(line => line.includes('http://') && resolve()));
  const { url, token } = await findStudio(place.cwd);
  await loadPage(url);
  for (const path of ['credentials', 'manifest', 'jobs', 'deployments'])
    await runProgram(['api', 'GET', `/api/${path}`], place);
  const training = await fetch(`${url}/api/train`, {
    method: 'POST',
    headers: { 'x-svc-studio-token': token, 'content-type': 'application/json' },
    body: '{}',
  });
  if (!training.ok) throw new Error(`Studio answered ${training.status}: ${await training.text()}`);
  await training.text();
  program.child.kill('SIGTERM');
  await program.ended;
}

/** Loads the page and every file it refers to, none of which may come from elsewhere. */
async function loadPage(url: string): Promise<void> {
  const page = await fetch(url);
  const policy = page.headers.get('content-security-policy') ?? '';
  if (!policy.includes("default-src 'none'") || /https?:|\*/.test(policy))
    throw new Error(`The page may load from elsewhere: ${policy}`);
  const named = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
  const files = named.filter(path => !path.startsWith('data:'));
  if (files.length === 0) throw new Error('The page refers to no files.');
  for (const path of files) {
    const target = new URL(path, url);
    if (target.origin !== new URL(url).origin) throw new Error(`The page loads ${target}.`);
    const response = await fetch(target);
    if (!response.ok) throw new Error(`${target} was answered with ${response.status}.`);
    await response.arrayBuffer();
  }
}

/** `svc watch` in a terminal, with all its views. */
export async function openDashboard({ cwd, env }: ProgramOptions): Promise<void> {
  const screen = openScreen({
    file: process.execPath,
    args: [join(repositoryRoot, 'dist', 'cli', 'bin.js'), 'watch'],
    cwd,
    env: { PATH: process.env.PATH!, ...env },
  });
  await screen.shows('cloud up');
  for (const view of ['1', '2', '3', '4']) screen.press(view);
  await screen.shows('feedback');
  screen.press('q');
  const exitCode = await screen.exited;
  if (exitCode !== 0) throw new Error(`svc watch ended with ${exitCode}:\n${screen.text()}`);
}
