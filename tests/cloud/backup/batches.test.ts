// Backups of batches that end meanwhile, and how the next cloud continues one that was about to end.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stageBackup } from '../../../lib/cloud/backup/make-backup.js';
import { copyDb } from '../../../lib/cloud/store/db.js';
import type { FileReader } from '../../../lib/engine/index.js';
import { quickFolder } from '../../support/quick-folder.js';
import { until } from '../../support/until.js';
import {
  end,
  gate,
  type Script,
  saying,
  scriptedBackend,
  text,
  untilAborted,
} from '../backends/scripted-backend.js';
import { makeCloudFolder } from '../cloud-folder.js';
import { openMemoryCloud } from '../host/memory-cloud.js';
import { MODEL, openProjectCloud, type ProjectCloud } from '../project-api/project-cloud.js';
import { BASE_URL } from '../project-api/sample-project-api.js';
import { sharedFileReader } from '../shared-file-reader.js';
import { toFetch } from '../to-fetch.js';

const hello = saying(text('Hello.'), end(5, 3));

let folder: string;
let place: string;
let cloud: ProjectCloud;
let script: Script;
/** Lets batches end, which have their answers by then. */
let letEnd: () => void;
beforeEach(async () => {
  const { open, opened } = gate();
  letEnd = open;
  script = hello;
  const files: FileReader = {
    ...sharedFileReader,
    async run(kind, input, asked) {
      if (asked.isAccepted) await opened;
      return sharedFileReader.run(kind, input, asked);
    },
    close: () => {},
  };
  folder = await makeCloudFolder();
  place = await mkdtemp(join(quickFolder, 'svc-backup-'));
  cloud = await openProjectCloud({
    backend: scriptedBackend((task, signal) => script(task, signal)),
    ...{ folder, files },
  });
});
afterEach(async () => {
  letEnd();
  await cloud.close();
  for (const path of [folder, place]) await rm(path, { recursive: true });
});

async function createBatch(): Promise<string> {
  const lines = ['a', 'b'].map(custom_id => {
    const body = { model: MODEL, messages: [{ role: 'user', content: custom_id }] };
    return JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body });
  });
  const file = new File([lines.join('\n')], 'in.jsonl');
  const { id: input_file_id } = await cloud.openai.files.create({ file, purpose: 'batch' });
  const endpoint = '/v1/chat/completions';
  const completion_window = '24h';
  return (await cloud.openai.batches.create({ input_file_id, endpoint, completion_window })).id;
}

const retrieve = (id: string, { batches }: Pick<OpenAI, 'batches'> = cloud.openai) => batches.retrieve(id);
const untilIs = (status: string, id: string, openai?: OpenAI) =>
  until(async () => (await retrieve(id, openai)).status).toBe(status);

/** Runs the next cloud on this data. */
async function withNext(data: string, check: (openai: OpenAI, tasks: unknown[]) => Promise<void>) {
  const backend = scriptedBackend(hello);
  const next = await openMemoryCloud({ folder: data, backend, clock: cloud.clock });
  const fetch = toFetch(next.cloud.fetch);
  try {
    await next.cloud.start();
    const openai = new OpenAI({ apiKey: cloud.apiKey, baseURL: BASE_URL, fetch, maxRetries: 0 });
    await check(openai, backend.tasks);
    expect(next.logged).toEqual([]);
  } finally {
    await next.close();
  }
}

it.each(['completed', 'cancelled'])(
  'a batch that is %s while it is copied has its answers in the backup',
  async status => {
    if (status === 'cancelled')
      script = async function* say(task, signal) {
        if (task.messages[0]!.content === 'b') await untilAborted(signal);
        yield* hello(task, signal);
      };
    const id = await createBatch();
    await until(async () => (await retrieve(id)).request_counts?.completed).toBeGreaterThan(0);
    if (status === 'cancelled') await cloud.openai.batches.cancel(id);
    await untilIs(status === 'cancelled' ? 'cancelling' : 'finalizing', id);
    let copies = 0;
    const { stage } = await stageBackup(
      folder,
      () => mkdtemp(join(place, 'stage-')),
      async (from, to) => {
        copies++;
        await copyDb(from, to);
        letEnd();
        await untilIs(status, id);
        await until(() => readdir(join(folder, 'batches'))).toEqual([]);
      },
    );
    expect(copies).toBe(2);
    const original = await retrieve(id);
    expect(original.output_file_id).toEqual(expect.any(String));
    await withNext(stage, async openai => {
      expect(await retrieve(id, openai)).toEqual(original);
      const [copy, before] = await Promise.all(
        [openai, cloud.openai].map(async ({ files }) =>
          (await files.content(original.output_file_id!)).text(),
        ),
      );
      expect(copy).toBe(before);
    });
  },
);

describe('a batch that was about to end', () => {
  async function copyWith(...folders: string[]): Promise<string> {
    const id = await createBatch();
    await untilIs('finalizing', id);
    await copyDb(join(folder, 'cloud.db'), join(place, 'cloud.db'));
    for (const name of folders) await cp(join(folder, name), join(place, name), { recursive: true });
    return id;
  }

  it('is answered again if its answers were lost', async () => {
    const id = await copyWith('datasets');
    await withNext(place, async (openai, tasks) => {
      await untilIs('completed', id, openai);
      const { request_counts } = await retrieve(id, openai);
      expect([request_counts, tasks.length]).toEqual([{ total: 2, completed: 2, failed: 0 }, 2]);
    });
  });

  it('does not expire if it has all its answers', async () => {
    const id = await copyWith('datasets', 'batches');
    cloud.clock.at += 25 * 3600 * 1000;
    await withNext(place, async (openai, tasks) => {
      await until(async () => (await retrieve(id, openai)).completed_at).toBeGreaterThan(0);
      expect(tasks).toEqual([]);
    });
  });
});
