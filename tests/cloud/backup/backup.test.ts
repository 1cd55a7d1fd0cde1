// A backup of a running cloud, and a cloud on the data restored from it.
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  createReadStream,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeBackup, stageBackup } from '../../../lib/cloud/backup/make-backup.js';
import { ownFolder } from '../../../lib/cloud/disk/own-folder.js';
import { copyDb } from '../../../lib/cloud/store/db.js';
import { readTar, toTarBlob } from '../../../lib/tar/index.js';
import { callCli, startCli } from '../../cli/support/terminal.js';
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

/** Ctrl-C as soon as the command listens for it. */
function interrupt(...words: string[]) {
  const call = startCli(['cloud', ...words], { env: {}, isInterrupted: true });
  return call.done;
}

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

  it('has the losses of rows as they were, though the trainer of a canceled job still appends to them', async () => {
    const { running } = await trainJobs();
    const losses = join('jobs', running, 'row-losses.bin');
    writeFileSync(join(cloud.folder, losses), 'so far');
    await cloud.cancel(running);
    const { stage, names } = await stageBackup(cloud.folder, () => mkdtemp(join(place, 'stage-')));
    expect(names).toContain(losses);
    appendFileSync(join(cloud.folder, losses), ', and more');
    expect(readFileSync(join(stage, losses), 'utf8')).toBe('so far');
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

describe('a backup that ends early', () => {
  const isPartial = (name: string) => name.endsWith('.tmp');

  it('leaves no part of its file after Ctrl-C', async () => {
    await trainJobs();
    const before = readdirSync(cloud.folder);
    expect(await interrupt('backup', file, '--data', cloud.folder)).toMatchObject({
      exitCode: 130,
      stderr: '',
    });
    let whenStopped: string[] = [];
    const signal = {
      throwIfAborted() {
        whenStopped = readdirSync(place).filter(isPartial);
        if (whenStopped.length > 0) throw new Error('stopped');
      },
    } as AbortSignal;
    await expect(makeBackup(cloud.folder, file, '1.0.0', signal)).rejects.toThrow('stopped');
    expect([whenStopped.length, readdirSync(place), readdirSync(cloud.folder)]).toEqual([1, [], before]);
  });

  // SQLite puts a journal beside the device, which others may not.
  it.skipIf(!existsSync('/dev/full') || process.getuid?.() !== 0)(
    'says that its disk has no room for a copy of the database',
    async () => {
      onTestFinished(() => rm('/dev/full-journal', { force: true }));
      await trainJobs();
      const stage = await mkdtemp(join(place, 'stage-'));
      await symlink('/dev/full', join(stage, 'cloud.db'));
      await expect(stageBackup(cloud.folder, async () => stage)).rejects.toMatchObject({
        code: 'backup',
        message: `The disk of ${cloud.folder} is full: a backup needs room there for a copy of the database. Free some space, for example with \`svc cloud gc\`.`,
      });
    },
  );
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

  it('leaves what is the machine’s in place when it replaces the rest', async () => {
    const folder = join(place, 'data');
    const own = {
      'models/some--model/model.safetensors': 'weights',
      'rounded/0123/weights': 'rounded',
      'cloud.json': '{"port":4000}',
      'device.json': '{"fastest":"cpu"}',
      'speeds.json': '{}',
      stopped: '',
    };
    for (const [name, text] of Object.entries({ ...own, 'requests.db': 'theirs' })) {
      await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
      await writeFile(join(folder, name), text);
    }
    const { restored } = JSON.parse((await restore(folder, '--replace', '--json')).stdout);
    for (const [name, text] of Object.entries(own))
      expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
    expect(readdirSync(restored.former).filter(name => !name.startsWith('lock.db'))).toEqual(['requests.db']);
    expect(existsSync(join(folder, 'requests.db'))).toBe(false);
  });

  it('leaves a link to the folder, and unpacks on the disk that it leads to', async () => {
    const disk = join(place, 'disk');
    const link = join(place, 'data');
    await mkdir(join(disk, 'cloud'), { recursive: true, mode: 0o700 });
    await writeFile(join(disk, 'cloud', 'mine'), 'precious');
    await symlink(join(disk, 'cloud'), link);
    const { restored } = JSON.parse((await restore(link, '--replace', '--json')).stdout);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(existsSync(join(disk, 'cloud', 'cloud.db'))).toBe(true);
    expect(readFileSync(join(restored.former, 'mine'), 'utf8')).toBe('precious');
    expect([readdirSync(disk).length, readdirSync(place).sort()]).toEqual([2, ['cloud.tar', 'data', 'disk']]);
  });

  it.skipIf(!existsSync('/dev/shm'))('refuses a mount point, which cannot be replaced', async () => {
    expect(await restore('/dev/shm')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'svc: /dev/shm is a mount point, which cannot be replaced. Restore to a folder in it: --data /dev/shm/svc\n',
    });
    expect(existsSync('/dev/shm/lock.db')).toBe(false);
  });

  it('leaves nothing after Ctrl-C', async () => {
    const folder = join(place, 'data');
    expect(await interrupt('restore', file, '--data', folder)).toMatchObject({ exitCode: 130, stderr: '' });
    expect(readdirSync(place)).toEqual(['cloud.tar']);
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
      [
        'with the tables of another version',
        'This backup was made by svc 0.1.0, whose database this svc cannot read. Restore it with that version.\n',
        files => {
          const bytes = files.get(DATABASE)!;
          // Where SQLite has `user_version`.
          bytes.writeInt32BE(bytes.readInt32BE(60) - 1, 60);
          setDatabase(files, bytes);
        },
      ],
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
