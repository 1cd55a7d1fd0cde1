// A backup of a running cloud, and a cloud on the data restored from it.
import { createReadStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { stageBackup } from '../../../lib/cloud/backup/stage.js';
import { ownFolder } from '../../../lib/cloud/disk/own-folder.js';
import type { Job } from '../../../lib/contract/index.js';
import { readTar, toTarBlob } from '../../../lib/tar/index.js';
import { callCli } from '../../support/cli.js';
import { until } from '../../support/until.js';
import { createScriptedRunner } from '../jobs/scripted-runner.js';
import { openTestJobs, scope, type TestJobs } from '../jobs/test-jobs.js';

let place: string;
let file: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'svc-backup-'));
  file = join(place, 'cloud.tar');
});
afterEach(() => rm(place, { recursive: true }));

const svc = (...words: string[]) => callCli(['cloud', ...words], { env: {} });
const restore = (to: string, ...words: string[]) => svc('restore', file, '--data', to, ...words);

/** A cloud with one completed job, and one running job that has saved a checkpoint. */
async function openWithJobs(): Promise<[cloud: TestJobs, completed: Job, running: Job]> {
  const runner = createScriptedRunner();
  const cloud = await openTestJobs(runner, { concurrency: 2 });
  const datasetId = await cloud.upload('{"text":"a"}\n');
  const config = { datasetSource: { type: 'upload', datasetId } } as const;
  await cloud.jobs.start();
  const completed = await cloud.create(config);
  const first = await runner.next();
  await first.checkpoint(5);
  await first.complete(10);
  await cloud.until(completed.id, 'completed');
  const running = await cloud.create(config);
  const second = await runner.next();
  second.started();
  second.log(1, 2, 3);
  await second.checkpoint(3);
  await until(async () => (await cloud.events(running.id)).at(-1)).toMatchObject({
    type: 'checkpoint.saved',
  });
  return [cloud, completed, running];
}

describe('a backup', () => {
  let cloud: TestJobs;
  let jobs: [completed: Job, running: Job];
  beforeEach(async () => {
    [cloud, ...jobs] = await openWithJobs();
  });
  afterEach(() => cloud.close());

  const backUp = () => svc('backup', file, '--data', cloud.folder);

  it('made while jobs run is complete: restored jobs resume, adapters can be downloaded', async () => {
    const [completed, running] = jobs;
    const options = '{"concurrency":2}';
    writeFileSync(join(cloud.folder, 'options.json'), options);
    expect(await backUp()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = await cloud.events(running.id);

    const folder = join(place, 'elsewhere');
    expect(await restore(folder)).toEqual({
      exitCode: 0,
      stdout: `Restored ${folder} from ${file}.\n`,
      stderr: '',
    });
    expect(readFileSync(join(folder, 'options.json'), 'utf8')).toBe(options);
    const next = createScriptedRunner();
    const restored = await openTestJobs(next, { folder, isThere: true });
    onTestFinished(() => restored.close());
    expect(await restored.events(running.id)).toEqual(before);
    await restored.jobs.start();
    const heir = await next.next();
    expect([heir.task.jobId, heir.has(3)]).toEqual([running.id, true]);
    expect(readFileSync((heir.task.request.source as { path: string }).path, 'utf8')).toBe('{"text":"a"}\n');
    await heir.complete(10);
    await restored.until(running.id, 'completed');
    for (const name of ['checkpoint-5', 'final']) {
      const path = `/v1/jobs/${completed.id}/artifacts/${name}${scope}`;
      const [original, copy] = [await cloud.call('GET', path), await restored.call('GET', path)];
      expect(copy.status).toBe(200);
      expect(await copy.text()).toBe(await original.text());
    }
  });

  it('fails when an adapter is missing, and starts over when a job is deleted meanwhile', async () => {
    const [completed, running] = jobs;
    await rm(join(cloud.folder, 'jobs', completed.id, 'adapters', 'final'), { recursive: true });
    const before = readdirSync(cloud.folder);
    expect(await backUp()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/final.* is missing, so the backup would be incomplete\.\n$/),
    });
    expect([readdirSync(cloud.folder), readdirSync(place)]).toEqual([before, []]);

    let copies = 0;
    const { names } = await stageBackup(cloud.folder, async () => {
      if (++copies === 2) await cloud.call('DELETE', `/v1/jobs/${completed.id}`);
      return mkdtemp(join(place, 'stage-'));
    });
    expect(copies).toBe(2);
    expect(names.filter(name => name.includes(completed.id))).toEqual([]);
    expect(names.filter(name => name.includes(running.id))).not.toEqual([]);
  });

  it('leaves no other files, contains no secret of the cloud and overwrites no file', async () => {
    writeFileSync(join(cloud.folder, 'cloud.json'), '{"secret":"do not copy"}');
    const before = readdirSync(cloud.folder);
    await backUp();
    expect(readdirSync(cloud.folder)).toEqual(before);
    expect(readdirSync(place)).toEqual(['cloud.tar']);
    expect(readFileSync(file).includes('do not copy')).toBe(false);
    const bytes = readFileSync(file);
    expect(await backUp()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('exists already') });
    expect(readFileSync(file)).toEqual(bytes);
  });
});

describe('restore', () => {
  let bytes: Buffer;
  beforeAll(async () => {
    const [cloud] = await openWithJobs();
    const at = await mkdtemp(join(tmpdir(), 'svc-backup-'));
    await svc('backup', join(at, 'cloud.tar'), '--data', cloud.folder);
    bytes = readFileSync(join(at, 'cloud.tar'));
    await rm(at, { recursive: true });
    await cloud.close();
  });
  beforeEach(() => writeFileSync(file, bytes));

  it('replaces existing data only with --replace, and moves the old data aside', async () => {
    const folder = join(place, 'data');
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, 'mine'), 'precious');
    const refused = await restore(folder);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--replace') });
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
      expect(await restore(folder)).toMatchObject({
        exitCode: 1,
        stderr: 'svc: The database in this backup is damaged.\n',
      });
    }
    spoil('"format":1', '"format":2');
    expect(await restore(folder)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/made by svc .*, which is newer\. Update svc\./),
    });
    expect(readdirSync(place)).toEqual(['cloud.tar']);
    writeFileSync(file, bytes);
    expect((await restore(folder)).exitCode).toBe(0);
    expect(existsSync(join(folder, 'svc-backup.json'))).toBe(false);
  });

  describe('refuses a backup', () => {
    type Files = Map<string, Buffer>;
    const MANIFEST = 'svc-backup.json';
    const withoutDigests = (files: Files) => {
      const { files: _, ...manifest } = JSON.parse(String(files.get(MANIFEST)));
      files.set(MANIFEST, Buffer.from(JSON.stringify(manifest)));
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

    it.each<[string, string, (files: Files) => unknown]>([
      ['without a manifest', 'is not a backup', files => files.delete(MANIFEST)],
      ['whose manifest is no JSON', 'is not a backup', files => files.set(MANIFEST, Buffer.from('{'))],
      ['without a database', 'The database is missing', files => files.delete('cloud.db')],
      ['with another database', 'The database in this backup is damaged', files => zeros(files, 'cloud.db')],
      ['without a data set', 'is missing', files => files.delete(find(files, 'datasets/'))],
      ['with an adapter of other bytes', 'is damaged', files => zeros(files, find(files, '.safetensors'))],
      [
        'with one more file',
        'it does not list: cloud.json',
        files => files.set('cloud.json', Buffer.from('{}')),
      ],
      [
        'of an earlier version, without a database',
        'The database is missing',
        files => [withoutDigests(files), files.delete('cloud.db')],
      ],
      [
        'of an earlier version, with an empty database',
        'The database in this backup is empty',
        files => [withoutDigests(files), files.set('cloud.db', Buffer.alloc(0))],
      ],
      [
        'of an earlier version, with a database of nothing',
        'The database in this backup is empty',
        files => [withoutDigests(files), zeros(files, 'cloud.db')],
      ],
      [
        'of an earlier version, with a damaged database',
        'The database in this backup is damaged',
        files => [withoutDigests(files), files.get('cloud.db')!.fill(0, 4096, 4104)],
      ],
    ])('%s', async (_, message, edit) => {
      await change(edit);
      const folder = join(place, 'data');
      expect(await restore(folder)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
      expect(readdirSync(place)).toEqual(['cloud.tar']);
    });

    it('but takes one of an earlier version, which has no digests', async () => {
      await change(withoutDigests);
      expect(await restore(join(place, 'data'))).toMatchObject({ exitCode: 0, stderr: '' });
    });
  });

  it('refuses the folder of a running cloud, a truncated backup and a file that is not a backup', async () => {
    const folder = join(place, 'data');
    const lock = ownFolder(folder);
    expect(await restore(folder, '--replace')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('A cloud is running'),
    });
    lock.release();
    writeFileSync(file, bytes.subarray(0, bytes.length / 2));
    expect(await restore(folder)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is incomplete, or not a backup made by svc cloud backup'),
    });
    expect(await svc('restore', place, '--data', folder)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is a folder, not a backup'),
    });
    writeFileSync(file, new Uint8Array(2048));
    expect(await restore(folder)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('not a backup'),
    });
    expect(readdirSync(place).sort()).toEqual(['cloud.tar', 'data']);
  });
});
