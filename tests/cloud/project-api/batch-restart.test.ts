// What a batch says of its requests while the next cloud still reads what was answered before.
import { rm } from 'node:fs/promises';
import OpenAI from 'openai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { diskFull, fileHandles } from '../../support/file-handles.js';
import { until } from '../../support/until.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';
import { end, gate, saying, scriptedBackend, text, untilAborted } from '../backends/scripted-backend.js';
import { makeCloudFolder } from '../cloud-folder.js';
import { type MemoryCloud, openMemoryCloud } from '../host/memory-cloud.js';
import { toFetch } from '../to-fetch.js';
import { MODEL, openProjectCloud, type ProjectCloud } from './project-cloud.js';
import { BASE_URL } from './sample-project-api.js';

const endpoint = '/v1/chat/completions';
const hello = saying(text('Hello.'), end(5, 3));
/** Answers what is asked first. */
const backend = () =>
  scriptedBackend(async function* say(task, signal) {
    if (task.messages[0]!.content !== 'first') await untilAborted(signal);
    yield* hello(task, signal);
  });

let folder: string;
let cloud: ProjectCloud;
let next: MemoryCloud | undefined;
/** Of the next cloud. */
let clock: VirtualClock;
beforeEach(async () => {
  folder = await makeCloudFolder();
  cloud = await openProjectCloud({ backend: backend(), folder });
  next = undefined;
  clock = createVirtualClock(cloud.clock.at);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await (next ?? cloud).close();
  await rm(folder, { recursive: true, force: true });
});

/** A batch of which the first of two requests has its answer. */
async function createBatch({ openai }: ProjectCloud): Promise<string> {
  const lines = ['first', 'second'].map(custom_id => {
    const body = { model: MODEL, messages: [{ role: 'user', content: custom_id }] };
    return JSON.stringify({ custom_id, method: 'POST', url: endpoint, body });
  });
  const input = await openai.files.create({
    file: new File([lines.join('\n')], 'in.jsonl'),
    purpose: 'batch',
  });
  const creation = { input_file_id: input.id, endpoint, completion_window: '24h' } as const;
  const { id } = await openai.batches.create(creation);
  await until(async () => (await openai.batches.retrieve(id)).request_counts?.completed).toBe(1);
  return id;
}

/** Starts the next cloud on the folder. Opening what was answered ends with a call of `truncate`. */
async function restart(truncate: () => Promise<void>) {
  await cloud.cloud.close(0);
  const truncating = vi.spyOn(await fileHandles(), 'truncate').mockImplementation(truncate);
  next = await openMemoryCloud({ folder, backend: backend(), clock });
  const fetch = toFetch(next.cloud.fetch);
  const { batches, models } = new OpenAI({ apiKey: cloud.apiKey, baseURL: BASE_URL, fetch, maxRetries: 0 });
  await next.cloud.start();
  await until(() => truncating.mock.calls.length).toBeGreaterThan(0);
  return { batches, models };
}

const answered = { total: 2, completed: 1, failed: 0 };

it('its counts never fall when a cloud is started again', async () => {
  const id = await createBatch(cloud);
  const { open, opened } = gate();
  const { batches, models } = await restart(() => opened);
  const asked = Promise.all([batches.retrieve(id), batches.list()]);
  asked.catch(() => {});
  // Asked later, answered earlier.
  await models.list();
  open();
  const [one, { data }] = await asked;
  expect([one, ...data]).toMatchObject([
    { id, status: 'in_progress', request_counts: answered },
    { id, status: 'in_progress', request_counts: answered },
  ]);
});

it('it is shown without its answers if they are not read within five seconds', async () => {
  const id = await createBatch(cloud);
  const { open, opened } = gate();
  const { batches, models } = await restart(() => opened);
  let counts: unknown = 'nobody knows';
  const asked = batches.retrieve(id).then(({ request_counts }) => {
    counts = request_counts;
  });
  await models.list();
  await clock.pass(4999);
  expect(counts).toBe('nobody knows');
  await clock.pass(1);
  await asked;
  expect(counts).toEqual({ ...answered, completed: 0 });
  open();
  await until(async () => (await batches.retrieve(id)).request_counts).toEqual(answered);
});

it('it is shown without its answers as long as those cannot be read', async () => {
  const id = await createBatch(cloud);
  let isFull = true;
  const { batches } = await restart(async () => {
    if (isFull) throw diskFull();
  });
  expect(await batches.retrieve(id)).toMatchObject({
    status: 'in_progress',
    request_counts: { ...answered, completed: 0 },
  });
  isFull = false;
  await clock.pass(2000);
  await until(async () => (await batches.retrieve(id)).request_counts).toEqual(answered);
});
