// Garbage collection while a job starts. A queue that changes between two reads forces the interleavings.
import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDatasetStore } from '../../../lib/cloud/datasets/dataset-store.js';
import { openUploadDesk } from '../../../lib/cloud/datasets/receive-upload.js';
import { createFolders } from '../../../lib/cloud/disk/folders.js';
import { collectGarbage, type GarbageContext } from '../../../lib/cloud/jobs/garbage.js';
import { createScriptedRunner } from './scripted-runner.js';
import { openTestJobs, type TestJobs } from './test-jobs.js';

let cloud: TestJobs;
beforeEach(async () => {
  cloud = await openTestJobs(createScriptedRunner());
});
afterEach(() => cloud.close());

/** Collects garbage; each read of the queue's running jobs calls `running`. */
function collect(running: () => ReadonlySet<string>, importing = new Set<string>()): Promise<unknown> {
  const folders = createFolders(cloud.folder);
  const own = {
    db: cloud.db,
    folders,
    desk: openUploadDesk(folders.uploads),
    importing,
    clock: cloud.clock,
  } as Partial<GarbageContext> as GarbageContext;
  const queue = {
    get running() {
      return running();
    },
  } as GarbageContext['queue'];
  return collectGarbage({ ...own, queue, datasets: createDatasetStore(own) });
}

async function put(path: string): Promise<string> {
  const file = join(cloud.folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, 'x');
  await utimes(file, 1, 1);
  return file;
}

it('keeps files of a trainer whose job starts and is cancelled between two reads of the queue', async () => {
  const { id } = await cloud.create();
  const saving = await put(`jobs/${id}/checkpoint-5.partial/adapter_config.json`);
  let looks = 0;
  let cancelling: Promise<unknown> | undefined;
  await collect(() => {
    cancelling ??= cloud.db.updateTable('jobs').set({ status: 'cancelled' }).execute();
    return new Set(looks++ === 0 ? [] : [id]);
  });
  await cancelling;
  expect(existsSync(saving)).toBe(true);
});

it('stops removing old downloads once a job has started, since it may read them', async () => {
  const first = await put('downloads/blob-a');
  const second = await put('downloads/blob-b');
  let looks = 0;
  await collect(() => new Set(looks++ === 0 ? [] : ['a job']));
  expect([first, second].filter(existsSync)).toHaveLength(1);
});

it('keeps the files of an import whose job is not stored yet', async () => {
  const weights = await put('jobs/imported/adapters/final/adapter_model.safetensors');
  await collect(() => new Set(), new Set(['imported']));
  expect(existsSync(weights)).toBe(true);
  await collect(() => new Set());
  expect(existsSync(weights)).toBe(false);
});
