// What `svc cloud gc` removes, and what it must keep, also in races with the queue.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDatasetStore } from '../../../lib/cloud/datasets/dataset-store.js';
import { openUploadDesk } from '../../../lib/cloud/datasets/receive-upload.js';
import type { CloudDeps } from '../../../lib/cloud/deps.js';
import { createFolders } from '../../../lib/cloud/disk/folders.js';
import { collectGarbage, type GarbageContext } from '../../../lib/cloud/jobs/garbage.js';
import { until } from '../../support/until.js';
import { addDeployment } from './add-deployment.js';
import { jobsPerTest } from './jobs-per-test.js';

const cloud = jobsPerTest();

const NOTHING = { files: 0, bytes: 0 };
const DAY_MS = 24 * 60 * 60 * 1000;
const names = (...path: string[]) => readdir(join(cloud.folder, ...path)).then(found => found.sort());
const collect = () => cloud.jobs.collectGarbage();

/** Writes a file in the cloud's folder, so many days old. */
async function put(path: string, content = 'x', age = 0): Promise<string> {
  const file = join(cloud.folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  const then = new Date(Date.now() - age * DAY_MS);
  await utimes(file, then, then);
  return file;
}

describe('collecting garbage', () => {
  it('removes leftovers of jobs and uploads, and keeps every listed adapter', async () => {
    expect(await collect()).toEqual(NOTHING);
    const { id, run } = await cloud.begin();
    await run.checkpoint(5);
    await cloud.finish(run);
    await addDeployment(cloud.db, { slug: 'bot', jobId: id, step: 5 });
    await cloud.jobs.close();
    await put(`jobs/${id}/checkpoint-7/optimizer.safetensors`, '12345');
    await put(`jobs/${id}/adapters/checkpoint-7/adapter_config.json`, '123');
    await put('jobs/00000000-0000-4000-8000-000000000000/adapters/final/adapter_config.json', '1');
    await put('datasets/0123', 'abc');
    await put('uploads/x.part', 'de');
    expect(await collect()).toEqual({ files: 5, bytes: 14 });
    expect([await names('jobs'), await names('datasets'), await names('uploads')]).toEqual([[id], [], []]);
    expect(await names('jobs', id)).toEqual(['adapters', 'attempt']);
    expect(await names('jobs', id, 'adapters')).toEqual(['checkpoint-5', 'final']);
    expect(await collect()).toEqual(NOTHING);
  });

  it('keeps the checkpoints of running and paused jobs, and counts no bytes of hard links', async () => {
    const { id, run } = await cloud.begin();
    await run.checkpoint(5);
    await until(() => names('jobs', id, 'adapters').catch(() => [])).toEqual(['checkpoint-5']);
    await collect();
    expect(run.has(5)).toBe(true);
    await cloud.jobs.close(10);
    await collect();
    expect(run.has(5)).toBe(true);
    // As a cloud that dies meanwhile leaves it.
    await cloud.db.updateTable('jobs').set({ status: 'cancelled' }).where('id', '=', id).execute();
    expect(await collect()).toEqual({ files: 3, bytes: 'moments'.length });
    const adapter = join(cloud.folder, 'jobs', id, 'adapters', 'checkpoint-5', 'adapter_model.safetensors');
    expect(await readFile(adapter, 'utf8')).toBe('weights of checkpoint-5');
  });

  it('keeps files of a cancelled trainer that has not exited yet', async () => {
    const { id, run } = await cloud.begin();
    await run.save('checkpoint-5.partial');
    await cloud.cancel(id);
    expect(await collect()).toEqual(NOTHING);
    run.end('cancelled');
    await until(() => names('jobs', id)).toEqual(['attempt']);
  });

  it('removes data sets that no job uses after a day', async () => {
    const datasetId = await cloud.upload('{"text":"read"}');
    await cloud.create({ datasetSource: { type: 'upload', datasetId } });
    await cloud.upload('{"text":"unread"}');
    cloud.clock.at += 0.5 * DAY_MS;
    expect(await collect()).toEqual(NOTHING);
    await cloud.upload('{"text":"young"}');
    cloud.clock.at += 0.6 * DAY_MS;
    expect(await collect()).toEqual({ files: 1, bytes: '{"text":"unread"}'.length });
    expect(await names('datasets')).toHaveLength(2);
  });

  it('keeps an upload that is still in progress', async () => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    const sent = writable.getWriter();
    const response = cloud.call('POST', '/v1/datasets', readable, { 'x-filename': 'rows.jsonl' });
    void sent.write(Buffer.from('{"text":"a"}\n'));
    await until(() => names('uploads').catch(() => [])).toHaveLength(1);
    expect(await collect()).toEqual(NOTHING);
    void sent.write(Buffer.from('{"text":"b"}\n'));
    void sent.close();
    expect(await (await response).json()).toMatchObject({ dataset: { rows: 2 } });
    expect(await names('uploads')).toEqual([]);
  });

  it('removes downloads after a day, unless a job still needs them', async () => {
    await cloud.jobs.close();
    const { id } = await cloud.create();
    await put('downloads/blob-needed', 'a', 2);
    await put('downloads/blob-old', 'bcd', 2);
    await put('downloads/blob-young', 'e', 0.5);
    const needed = { job_id: id, role: 'training', file: 'blob-needed', name: 'x' } as const;
    await cloud.db.insertInto('job_downloads').values(needed).execute();
    expect(await collect()).toEqual({ files: 1, bytes: 3 });
    expect(await names('downloads')).toEqual(['blob-needed', 'blob-young']);
    await cloud.cancel(id);
    expect(await collect()).toEqual({ files: 1, bytes: 1 });
  });
});

describe('collecting garbage while the queue goes on', () => {
  /** Each read of the queue's running jobs calls `running`. */
  function collectBeside(
    running: () => ReadonlySet<string>,
    { importing = new Set<string>(), baseModel = { name: 'a', folder: '' } as CloudDeps['baseModel'] } = {},
  ) {
    const folders = createFolders(cloud.folder);
    const { db, clock } = cloud;
    const desk = openUploadDesk(folders.uploads);
    const own = { db, folders, desk, importing, clock, deps: { baseModel } };
    const queue = {
      get running() {
        return running();
      },
    };
    const context = { ...own, queue, datasets: createDatasetStore(own as never) };
    return collectGarbage(context as unknown as GarbageContext);
  }

  it('keeps files of a trainer whose job starts and is cancelled between two reads of the queue', async () => {
    await cloud.jobs.close();
    const { id } = await cloud.create();
    const saving = await put(`jobs/${id}/checkpoint-5.partial/adapter_config.json`, 'x', 99);
    let looks = 0;
    let cancelling: Promise<unknown> | undefined;
    await collectBeside(() => {
      cancelling ??= cloud.db.updateTable('jobs').set({ status: 'cancelled' }).execute();
      return new Set(looks++ === 0 ? [] : [id]);
    });
    await cancelling;
    expect(existsSync(saving)).toBe(true);
  });

  it('stops removing old downloads once a job has started, since it may read them', async () => {
    const files = [await put('downloads/blob-a', 'x', 99), await put('downloads/blob-b', 'x', 99)];
    let looks = 0;
    await collectBeside(() => new Set(looks++ === 0 ? [] : ['a job']));
    expect(files.filter(existsSync)).toHaveLength(1);
  });

  it('keeps the files of an import whose job is not stored yet', async () => {
    const weights = await put('jobs/imported/adapters/final/adapter_model.safetensors', 'x', 99);
    await collectBeside(() => new Set(), { importing: new Set(['imported']) });
    expect(existsSync(weights)).toBe(true);
    await collectBeside(() => new Set());
    expect(existsSync(weights)).toBe(false);
  });

  it('removes rounded weights of other base models, but not what was found out about them', async () => {
    const digest = 'a'.repeat(64);
    const own = `rounded/${digest.slice(0, 32)}/1.forward.int8`;
    await put(own, '12345');
    await put(`rounded/${'b'.repeat(32)}/2.forward.int8`, '123');
    await put(`rounded/${'b'.repeat(32)}/2.choice`, '{}');
    await put(`rounded/${'b'.repeat(32)}/2.content`, 'c');
    // As an earlier version of svc wrote them.
    await put('rounded/3.forward.int8', '12');
    await put('rounded/3.choice', '{}');
    const baseModel = { name: 'a', folder: '', digest };
    expect(await collectBeside(() => new Set(), { baseModel })).toEqual({ files: 3, bytes: 7 });
    expect(await names('rounded')).toEqual(['a'.repeat(32), 'b'.repeat(32)]);
    expect(await names('rounded', 'b'.repeat(32))).toEqual(['2.choice', '2.content']);
    expect(existsSync(join(cloud.folder, own))).toBe(true);
  });
});
