// A backup of a running cloud, a cloud on the data restored from it, and the temporary folders of both.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { stageBackup } from '../../../lib/cloud/backup/make-backup.js';
import { ownFolder } from '../../../lib/cloud/disk/own-folder.js';
import { makeTemporaryFolder, removeLeftFolders } from '../../../lib/cloud/disk/temporary-folder.js';
import { copyDb } from '../../../lib/cloud/store/db.js';
import { readTar, toTarBlob } from '../../../lib/tar/index.js';
import { callCli } from '../../cli/support/terminal.js';
import { findTestProgram } from '../../support/test-program.js';
import { until } from '../../support/until.js';
import { jobsPerTest } from '../jobs/jobs-per-test.js';
import { createScriptedRunner } from '../jobs/scripted-runner.js';
import { openTestJobs, scope } from '../jobs/test-jobs.js';

let place: string;
let file: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'svc-backup-'));
  file = join(place, 'cloud.tar');
});
afterEach(() => rm(place, { recursive: true }));

const svc = (...words: string[]) => callCli(['cloud', ...words], { env: {} });
const restore = (to: string, ...words: string[]) => svc('restore', file, '--data', to, ...words);
const failing = (message: RegExp | string) => {
  const stderr =
    typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message);
  return { exitCode: 1, stderr };
};

const cloud = jobsPerTest({ concurrency: 2 });
const backUp = () => svc('backup', file, '--data', cloud.folder);

/** One job that completes, and one that is running and has saved a checkpoint. */
async function trainJobs() {
  const datasetId = await cloud.upload('{"text":"a"}\n');
  const config = { datasetSource: { type: 'upload', datasetId } } as const;
  const first = await cloud.begin(config);
  await first.run.checkpoint(5);
  await cloud.finish(first.run);
  const second = await cloud.begin(config);
  second.run.started();
  second.run.log(1, 2, 3);
  await second.run.checkpoint(3);
  await until(() => cloud.story(second.id)).toBe('started, log 1-3, saved 3');
  return { completed: first.id, running: second.id };
}

describe('a backup', () => {
  it('made while jobs run is complete: restored jobs resume, adapters can be downloaded', async () => {
    const { completed, running } = await trainJobs();
    const options = '{"concurrency":2}';
    writeFileSync(join(cloud.folder, 'options.json'), options);
    expect(await backUp()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = await cloud.events(running);

    const folder = join(place, 'elsewhere');
    const stdout = `Restored ${folder} from ${file}.\n`;
    expect(await restore(folder)).toEqual({ exitCode: 0, stdout, stderr: '' });
    expect(readFileSync(join(folder, 'options.json'), 'utf8')).toBe(options);
    const next = createScriptedRunner();
    const restored = await openTestJobs(next, { folder, isThere: true });
    onTestFinished(() => restored.close());
    expect(await restored.events(running)).toEqual(before);
    await restored.jobs.start();
    const heir = await next.next();
    expect([heir.task.jobId, heir.has(3)]).toEqual([running, true]);
    expect(readFileSync((heir.task.request.source as { path: string }).path, 'utf8')).toBe('{"text":"a"}\n');
    await heir.complete(10);
    await restored.until(running, 'completed');
    for (const name of ['checkpoint-5', 'final']) {
      const path = `/v1/jobs/${completed}/artifacts/${name}${scope}`;
      const [original, copy] = [await cloud.call('GET', path), await restored.call('GET', path)];
      expect(copy.status).toBe(200);
      expect(await copy.text()).toBe(await original.text());
    }
  });

  it('fails when an adapter is missing, and starts over when a job is deleted meanwhile', async () => {
    const { completed, running } = await trainJobs();
    await rm(join(cloud.folder, 'jobs', completed, 'adapters', 'final'), { recursive: true });
    const before = readdirSync(cloud.folder);
    expect(await backUp()).toMatchObject(
      failing(/final.* is missing, so the backup would be incomplete\.\n$/),
    );
    expect([readdirSync(cloud.folder), readdirSync(place)]).toEqual([before, []]);

    let copies = 0;
    const { names } = await stageBackup(cloud.folder, async () => {
      if (++copies === 2) await cloud.call('DELETE', `/v1/jobs/${completed}`);
      return mkdtemp(join(place, 'stage-'));
    });
    expect(copies).toBe(2);
    expect(names.filter(name => name.includes(completed))).toEqual([]);
    expect(names.filter(name => name.includes(running))).not.toEqual([]);
  });

  it('has a checkpoint that its database knows, though the run goes on and prunes it meanwhile', async () => {
    const { running } = await trainJobs();
    const work = join('jobs', running, 'checkpoint-3');
    const files = readdirSync(join(cloud.folder, work)).map(file => join(work, file));
    expect(files).not.toEqual([]);
    const { stage, names } = await stageBackup(
      cloud.folder,
      () => mkdtemp(join(place, 'stage-')),
      async (from, to) => {
        await rm(join(cloud.folder, work), { recursive: true });
        await copyDb(from, to);
      },
    );
    expect(names).toEqual(expect.arrayContaining(files));
    for (const file of files) expect(statSync(join(stage, file)).size).toBeGreaterThan(0);
  });

  it('leaves no other files, contains no secret of the cloud and overwrites no file', async () => {
    await trainJobs();
    writeFileSync(join(cloud.folder, 'cloud.json'), '{"secret":"do not copy"}');
    const before = readdirSync(cloud.folder);
    await backUp();
    expect(readdirSync(cloud.folder)).toEqual(before);
    expect(readdirSync(place)).toEqual(['cloud.tar']);
    expect(readFileSync(file).includes('do not copy')).toBe(false);
    const bytes = readFileSync(file);
    expect(await backUp()).toMatchObject(failing('exists already'));
    expect(readFileSync(file)).toEqual(bytes);
  });
});

describe('restore', () => {
  /** Of the first backup, for all tests. */
  let bytes = Buffer.of();
  beforeEach(async () => {
    if (bytes.length === 0) {
      await trainJobs();
      await backUp();
      bytes = readFileSync(file);
    }
    writeFileSync(file, bytes);
  });

  it('replaces existing data only with --replace, and moves the old data aside', async () => {
    const folder = join(place, 'data');
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, 'mine'), 'precious');
    expect(await restore(folder)).toMatchObject(failing('--replace'));
    expect(readdirSync(place).sort()).toEqual(['cloud.tar', 'data']);
    const { restored: answer } = JSON.parse((await restore(folder, '--replace', '--json')).stdout);
    expect(readFileSync(join(answer.former, 'mine'), 'utf8')).toBe('precious');
    expect(existsSync(join(folder, 'cloud.db'))).toBe(true);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('refuses a backup with a damaged database or from a newer svc', async () => {
    const folder = join(place, 'data');
    const spoil = (from: string | number, to: string) => {
      const spoiled = Buffer.from(bytes);
      spoiled.write(to, typeof from === 'number' ? from : spoiled.indexOf(from));
      writeFileSync(file, spoiled);
    };
    const database = bytes.indexOf('SQLite format 3\0');
    // The page type of the second page, which belongs to a table; and the magic string of the file.
    for (const place of [database + 4096, database]) {
      spoil(place, '\0'.repeat(8));
      expect(await restore(folder)).toMatchObject(
        failing(/^svc: The database in this backup is damaged\.\n$/),
      );
    }
    spoil('"format":1', '"format":2');
    expect(await restore(folder)).toMatchObject(failing(/made by svc .*, which is newer\. Update svc\./));
    expect(readdirSync(place)).toEqual(['cloud.tar']);
    writeFileSync(file, bytes);
    expect((await restore(folder)).exitCode).toBe(0);
    expect(existsSync(join(folder, 'svc-backup.json'))).toBe(false);
  });

  describe('refuses a backup', () => {
    type Files = Map<string, Buffer>;
    const MANIFEST = 'svc-backup.json';
    const DATABASE = 'cloud.db';
    const DAMAGED = 'The database in this backup is damaged';
    /** Its digest is the one in the manifest: it was so when the backup was made. */
    const setDatabase = (files: Files, bytes: Buffer) => {
      const manifest = JSON.parse(String(files.get(MANIFEST)));
      manifest.files[DATABASE] = createHash('sha256').update(bytes).digest('hex');
      files.set(MANIFEST, Buffer.from(JSON.stringify(manifest)));
      files.set(DATABASE, bytes);
    };
    const find = (files: Files, part: string) => [...files.keys()].find(name => name.includes(part))!;
    const zeros = (files: Files, name: string) => files.set(name, Buffer.alloc(files.get(name)!.length));

    async function change(edit: (files: Files) => unknown): Promise<void> {
      const files: Files = new Map();
      for await (const { path, content } of readTar(createReadStream(file)))
        files.set(path, await buffer(content));
      edit(files);
      const all = [...files].map(([name, bytes]) => ({ name, content: new Blob([new Uint8Array(bytes)]) }));
      writeFileSync(file, new Uint8Array(await toTarBlob(all).arrayBuffer()));
    }

    async function expectRefused(message: string, edit: (files: Files) => unknown): Promise<void> {
      await change(edit);
      expect(await restore(join(place, 'data'))).toMatchObject(failing(message));
      expect(readdirSync(place)).toEqual(['cloud.tar']);
    }

    it.each<[string, string, (files: Files) => unknown]>([
      ['without a manifest', 'is not a backup', files => files.delete(MANIFEST)],
      ['whose manifest is no JSON', 'is not a backup', files => files.set(MANIFEST, Buffer.from('{'))],
      ['without digests', 'is not a backup', files => files.set(MANIFEST, Buffer.from('{"format":1}'))],
      ['without a database', 'The database is missing', files => files.delete(DATABASE)],
      ['with another database', DAMAGED, files => zeros(files, DATABASE)],
      [
        'of a damaged database',
        DAMAGED,
        files => setDatabase(files, files.get(DATABASE)!.fill(0, 4096, 4104)),
      ],
      ['of no database', DAMAGED, files => setDatabase(files, Buffer.from('none'.repeat(1024)))],
      ['without a data set', 'is missing', files => files.delete(find(files, 'datasets/'))],
      ['with an adapter of other bytes', 'is damaged', files => zeros(files, find(files, '.safetensors'))],
      [
        'with one more file',
        'it does not list: cloud.json',
        files => files.set('cloud.json', Buffer.from('{}')),
      ],
    ])('%s', (_, message, edit) => expectRefused(message, edit));
  });

  it('refuses the folder of a running cloud, a truncated backup and a file that is not a backup', async () => {
    const folder = join(place, 'data');
    const lock = ownFolder(folder);
    expect(await restore(folder, '--replace')).toMatchObject(failing('A cloud is running'));
    lock.release();
    writeFileSync(file, bytes.subarray(0, bytes.length / 2));
    const cut = 'is incomplete, or not a backup made by svc cloud backup';
    expect(await restore(folder)).toMatchObject(failing(cut));
    const ofFolder = await svc('restore', place, '--data', folder);
    expect(ofFolder).toMatchObject(failing('is a folder, not a backup'));
    writeFileSync(file, new Uint8Array(2048));
    expect(await restore(folder)).toMatchObject(failing('not a backup'));
    expect(readdirSync(place).sort()).toEqual(['cloud.tar', 'data']);
  });
});

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
