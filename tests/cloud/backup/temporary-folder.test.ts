// Temporary folders left by killed processes, and those still in use.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, removeLeftFolders } from '../../../lib/cloud/disk/temporary-folder.js';
import { callCli } from '../../support/cli.js';
import { createScriptedRunner } from '../jobs/scripted-runner.js';
import { openTestJobs, type TestJobs } from '../jobs/test-jobs.js';

const script = fileURLToPath(new URL('hold-folder.ts', import.meta.url));

let cloud: TestJobs;
let place: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  cloud = await openTestJobs(createScriptedRunner());
  place = await mkdtemp(join(tmpdir(), 'svc-backup-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await cloud.close();
  await rm(place, { recursive: true });
});

/** Starts another process that uses temporary folders. */
async function hold(...starts: string[]): Promise<{ paths: string[]; kill(): Promise<void> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...starts], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [paths] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  return {
    paths: JSON.parse(paths) as string[],
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const svc = (...words: string[]) => callCli(['cloud', ...words], { env: {} });
const nothing = { files: 0, bytes: 0 };

describe('a temporary folder', () => {
  it('is unique and is removed completely', async () => {
    const start = join(place, 'some', 'backup-');
    const [one, other] = [await makeTemporaryFolder(start), await makeTemporaryFolder(start)];
    expect(one.path).not.toBe(other.path);
    expect(await removeLeftFolders(start)).toEqual(nothing);
    await one.remove();
    expect(existsSync(other.path)).toBe(true);
    await other.remove();
    expect(readdirSync(join(place, 'some'))).toEqual([]);
  });

  it('is not confused with a folder of the user that has a similar name', async () => {
    const names = ['backup-mine', 'backup-2026', 'backup-0123456789ab.tar'];
    for (const name of names) await mkdir(join(place, name));
    expect(await removeLeftFolders(join(place, 'backup-'))).toEqual(nothing);
    expect(readdirSync(place).sort()).toEqual(names.sort());
  });
});

describe('the leftovers of killed backups and restores', () => {
  it('are removed by the next backup and by garbage collection, except folders in use', async () => {
    const file = join(place, 'cloud.tar');
    const before = readdirSync(cloud.folder);
    const start = join(cloud.folder, 'backup-');
    const [killed, working] = await Promise.all([hold(start), hold(start)]);
    const there = () => [killed, working].map(({ paths }) => existsSync(paths[0]!));
    await killed.kill();
    expect(await svc('backup', file, '--data', cloud.folder)).toMatchObject({ exitCode: 0 });
    expect(there()).toEqual([false, true]);
    expect(await cloud.jobs.collectGarbage()).toEqual(nothing);
    await working.kill();
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 1, bytes: 5 });
    expect(there()).toEqual([false, false]);
    expect(readdirSync(cloud.folder)).toEqual(before);
  });

  it('are removed by the next restore to the same folder and by garbage collection', async () => {
    const file = join(place, 'cloud.tar');
    await svc('backup', file, '--data', cloud.folder);
    const folder = join(place, 'data');
    const { paths, kill } = await hold(`${folder}.restoring-`, `${cloud.folder}.restoring-`);
    await kill();
    expect(await svc('restore', file, '--data', folder)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(place).sort()).toEqual(['cloud.tar', 'data']);
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 1, bytes: 5 });
    expect(existsSync(paths[1]!)).toBe(false);
  });
});
