// The temporary folders of backups and restores, and what those that were killed leave behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeTemporaryFolder, removeLeftFolders } from '../../../lib/cloud/disk/temporary-folder.js';
import { callCli } from '../../cli/support/terminal.js';
import { findTestProgram } from '../../support/test-program.js';
import { jobsPerTest } from '../jobs/jobs-per-test.js';

let place: string;
let file: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'svc-backup-'));
  file = join(place, 'cloud.tar');
});
afterEach(() => rm(place, { recursive: true }));

const cloud = jobsPerTest({ concurrency: 2 });
const backUp = () => callCli(['cloud', 'backup', file, '--data', cloud.folder], { env: {} });
const restore = (to: string) => callCli(['cloud', 'restore', file, '--data', to], { env: {} });

const NOTHING = { files: 0, bytes: 0 };

/** Starts another process that uses temporary folders. */
async function hold(...starts: string[]): Promise<{ paths: string[]; kill(): Promise<void> }> {
  const { path, execArgv } = await findTestProgram(fileURLToPath(new URL('hold-folder.ts', import.meta.url)));
  const args = [...execArgv, path, ...starts];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [paths] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  return {
    paths: JSON.parse(paths) as string[],
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('a temporary folder', () => {
  it('is unique and is removed completely', async () => {
    const start = join(place, 'some', 'backup-');
    const [one, other] = [await makeTemporaryFolder(start), await makeTemporaryFolder(start)];
    expect(one.path).not.toBe(other.path);
    expect(await removeLeftFolders(start)).toEqual(NOTHING);
    await one.remove();
    expect(existsSync(other.path)).toBe(true);
    await other.remove();
    expect(readdirSync(join(place, 'some'))).toEqual([]);
  });

  it('is not confused with a folder of the user that has a similar name', async () => {
    const names = ['backup-mine', 'backup-2026', 'backup-0123456789ab.tar'];
    for (const name of names) await mkdir(join(place, name));
    expect(await removeLeftFolders(join(place, 'backup-'))).toEqual(NOTHING);
    expect(readdirSync(place).sort()).toEqual(names.sort());
  });
});

describe('the leftovers of killed backups and restores', () => {
  it('are removed by the next backup and by garbage collection, except folders in use', async () => {
    const before = readdirSync(cloud.folder);
    const start = join(cloud.folder, 'backup-');
    const [killed, working] = await Promise.all([hold(start), hold(start)]);
    const there = () => [killed, working].map(({ paths }) => existsSync(paths[0]!));
    await killed.kill();
    expect(await backUp()).toMatchObject({ exitCode: 0 });
    expect(there()).toEqual([false, true]);
    expect(await cloud.jobs.collectGarbage()).toEqual(NOTHING);
    await working.kill();
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 1, bytes: 5 });
    expect(there()).toEqual([false, false]);
    expect(readdirSync(cloud.folder)).toEqual(before);
  });

  it('are removed by the next restore to the same folder and by garbage collection', async () => {
    await backUp();
    const folder = join(place, 'data');
    const { paths, kill } = await hold(`${folder}.restoring-`, `${cloud.folder}.restoring-`);
    await kill();
    expect(await restore(folder)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(place).sort()).toEqual(['cloud.tar', 'data']);
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 1, bytes: 5 });
    expect(existsSync(paths[1]!)).toBe(false);
  });
});
