// Batches of a project, by OpenAI's own client.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI from 'openai';
import type { Batch as OpenAiBatch } from 'openai/resources/batches';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { openAiRoutes, ResponseOf } from '../../../lib/contract/index.js';
import { type AskedWork, EngineError, type FileReader } from '../../../lib/engine/index.js';
import { diskFull, fileHandles } from '../../support/file-handles.js';
import { createHurriedClock } from '../../support/hurried-clock.js';
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
import { sharedFileReader } from '../shared-file-reader.js';
import { toFetch } from '../to-fetch.js';
import { MODEL, openProjectCloud, type ProjectCloud, rowsFile } from './project-cloud.js';
import { BASE_URL, refusal } from './sample-project-api.js';

/** The official type is the judge: this file does not compile if an answer deviates. */
const toOpenAi: (batch: ResponseOf<(typeof openAiRoutes)['getBatch']>) => OpenAiBatch = batch => batch;

const URL_OF_CHATS = '/v1/chat/completions';
type Line = Record<string, unknown>;

const chat = (custom_id: string, more: Line = {}): Line => ({
  custom_id,
  method: 'POST',
  url: URL_OF_CHATS,
  body: { model: MODEL, messages: [{ role: 'user', content: custom_id }], ...more },
});

/** Makes the reader of files fail as it reads the results of a batch. */
let failRead: ((asked: AskedWork) => void) | null;
const files: FileReader = {
  async run(kind, input, asked) {
    if (kind === 'digestFile') failRead?.(asked);
    return sharedFileReader.run(kind, input, asked);
  },
  load: sharedFileReader.load,
  close: () => {},
};

let folder: string;
let cloud: ProjectCloud;
let script: Script;
let backend: ReturnType<typeof scriptedBackend>;
beforeEach(async () => {
  const usage = { promptTokens: 5, completionTokens: 3, thoughtTokens: 2 };
  script = saying(text('Hello.'), { ...end(5, 3), usage });
  backend = scriptedBackend((task, signal) => script(task, signal));
  failRead = null;
  folder = await makeCloudFolder();
  cloud = await openProjectCloud({ backend, folder, files });
  cloud.clock.sleep = createHurriedClock(1000).sleep;
});
afterEach(async () => {
  await cloud.close();
  expect(cloud.logged).toEqual([]);
  await rm(folder, { recursive: true });
});

async function create(lines: readonly (Line | string)[], more: object = {}): Promise<OpenAiBatch> {
  const content = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const file = await cloud.openai.files.create({ file: new File([content], 'in.jsonl'), purpose: 'batch' });
  return cloud.openai.batches.create({
    input_file_id: file.id,
    endpoint: URL_OF_CHATS,
    completion_window: '24h',
    ...more,
  });
}

const retrieve = ({ id }: OpenAiBatch, openai = cloud.openai) => openai.batches.retrieve(id);
async function ended(batch: OpenAiBatch, status: OpenAiBatch['status'], openai = cloud.openai) {
  await until(async () => (await retrieve(batch, openai)).status).toBe(status);
  return retrieve(batch, openai);
}
async function linesOf(file: string | undefined, openai = cloud.openai): Promise<Line[]> {
  if (file === undefined) return [];
  const content = await (await openai.files.content(file)).text();
  return content.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Line]));
}
const idsOf = (lines: Line[]) => lines.map(({ custom_id }) => custom_id).sort();
const work = () => readdir(join(folder, 'batches')).catch(() => []);

describe('a batch', () => {
  it('answers each request of its file, in files of its own', async () => {
    const lines = [chat('a'), chat('b', { temperature: 9 }), '', chat('c', { stream: true }), chat('d')];
    const created = await create(lines, { metadata: { for: 'tests' } });
    const at = Math.floor(cloud.clock.at / 1000);
    expect(created).toMatchObject({
      id: expect.stringMatching(/^batch_[0-9a-f]{32}$/),
      object: 'batch',
      status: 'validating',
      endpoint: URL_OF_CHATS,
      completion_window: '24h',
      created_at: at,
      expires_at: at + 24 * 3600,
      metadata: { for: 'tests' },
    });
    const batch = await ended(created, 'completed');
    expect(toOpenAi(batch as never)).toMatchObject({
      model: MODEL,
      request_counts: { total: 4, completed: 2, failed: 2 },
      usage: { input_tokens: 10, output_tokens: 6, total_tokens: 16 },
      ...{ in_progress_at: at, finalizing_at: at, completed_at: at },
    });
    const [output, errors] = [await linesOf(batch.output_file_id), await linesOf(batch.error_file_id)];
    expect([idsOf(output), idsOf(errors)]).toEqual([
      ['a', 'd'],
      ['b', 'c'],
    ]);
    expect(output[0]).toEqual({
      id: expect.stringMatching(/^batch_req_/),
      custom_id: expect.any(String),
      response: {
        status_code: 200,
        request_id: expect.stringMatching(/^req_/),
        body: expect.objectContaining({ object: 'chat.completion', model: MODEL }),
      },
      error: null,
    });
    const params = errors.map(
      line => (line as { response: { body: { error: Line } } }).response.body.error.param,
    );
    expect(params.sort()).toEqual(['stream', 'temperature']);
    const file = await cloud.openai.files.retrieve(batch.output_file_id!);
    expect(file).toMatchObject({ purpose: 'batch_output', filename: `${batch.id}_output.jsonl` });
    expect(file.expires_at).toBe(at + 30 * 24 * 3600);
    expect(backend.tasks.map(({ isLowPriority }) => isLowPriority)).toEqual([true, true]);
    await until(work).toEqual([]);
  });

  it.each([
    ['/v1/completions', { prompt: 'Hi' }, 'text_completion'],
    ['/v1/responses', { input: 'Hi' }, 'response'],
  ])('asks for %s', async (endpoint, body, object) => {
    const line = { custom_id: 'a', method: 'POST', url: endpoint, body: { model: MODEL, ...body } };
    const batch = await ended(await create([line], { endpoint }), 'completed');
    const told = { input_tokens: 5, output_tokens: 3, total_tokens: 8 };
    expect(batch.usage).toMatchObject({ ...told, output_tokens_details: { reasoning_tokens: 2 } });
    expect(await linesOf(batch.output_file_id)).toMatchObject([{ response: { body: { object } } }]);
  });

  it.each([
    ['not JSON', ['{"custom_id"'], 'invalid_json_line', 1, null],
    ['nothing', ['', ' \r'], 'empty_file', null, null],
    ['a second request of one name', [chat('a'), '', chat('a')], 'duplicate_custom_id', 3, 'custom_id'],
    ['another endpoint', [{ ...chat('a'), url: '/v1/embeddings' }], 'invalid_url', 1, 'url'],
    ['another method', [{ ...chat('a'), method: 'GET' }], 'invalid_value', 1, 'method'],
    ['no name', [{ ...chat('a'), custom_id: undefined }], 'invalid_value', 1, 'custom_id'],
    ['no body', [{ ...chat('a'), body: 'x' }], 'invalid_value', 1, 'body'],
    ['another model', [chat('a'), chat('b', { model: 'other' })], 'model_not_found', 2, 'body.model'],
  ])('fails before it begins if its file has %s', async (_, lines, code, line, param) => {
    const batch = await ended(await create(lines.length > 0 ? lines : ['\n']), 'failed');
    expect(batch.errors).toMatchObject({ object: 'list', data: [{ code, line, param }] });
    expect([batch.failed_at, batch.request_counts?.total, backend.tasks]).toEqual([batch.created_at, 0, []]);
  });

  it('keeps no more than the beginning of what a message quotes', async () => {
    const batch = await ended(await create([chat('a', { model: 'x'.repeat(10_000) })]), 'failed');
    const [{ code, message } = {}] = batch.errors?.data ?? [];
    expect([code, message!.length < 500]).toEqual(['model_not_found', true]);
  });

  it.each([
    [{}, 404],
    [{ store: null }, 404],
    [{ store: true }, 200],
  ])('stores no responses unless its requests say so: %j', async (more, status) => {
    const body = { model: MODEL, input: 'Hi', ...more };
    const endpoint = '/v1/responses';
    const line = { custom_id: 'a', method: 'POST', url: endpoint, body };
    const batch = await ended(await create([line], { endpoint }), 'completed');
    const [answer] = (await linesOf(batch.output_file_id)) as { response: { body: { id: string } } }[];
    expect((await cloud.send(`/responses/${answer!.response.body.id}`)).status).toBe(status);
  });

  it('that is cancelled keeps its answers, and says of the other requests that it was', async () => {
    const { open, opened } = gate();
    script = async function* say(task, signal) {
      if (task.messages[0]!.content !== 'first') await untilAborted(signal);
      open();
      yield* saying(text('Hello.'), end(5, 3))(task, signal);
    };
    const created = await create([chat('first'), chat('b'), chat('c')]);
    await opened;
    await until(async () => (await retrieve(created)).request_counts).toMatchObject({
      completed: 1,
      total: 3,
    });
    expect(await cloud.openai.batches.cancel(created.id)).toMatchObject({ status: 'cancelling' });
    const batch = await ended(created, 'cancelled');
    expect(batch).toMatchObject({
      request_counts: { completed: 1, failed: 2 },
      cancelled_at: batch.created_at,
    });
    expect(idsOf(await linesOf(batch.output_file_id))).toEqual(['first']);
    const left = { response: null, error: { code: 'batch_cancelled' } };
    expect(await linesOf(batch.error_file_id)).toMatchObject([left, left]);
    expect(await cloud.openai.batches.cancel(created.id)).toEqual(batch);
    const completed = await ended(await create([chat('first')]), 'completed');
    expect(await refusal(cloud.openai.batches.cancel(completed.id))).toMatchObject({ status: 400 });
  });

  describe('that is cancelled while the disk is full', () => {
    afterEach(() => vi.restoreAllMocks());

    async function cancelWhileFull() {
      const writing = vi.spyOn(await fileHandles(), 'appendFile').mockRejectedValue(diskFull());
      const batch = await create([chat('a')]);
      await until(() => writing.mock.calls.length).toBeGreaterThan(1);
      await cloud.openai.batches.cancel(batch.id);
      const before = writing.mock.calls.length;
      await until(() => writing.mock.calls.length).toBeGreaterThan(before + 2);
      return { batch, writing };
    }

    it('keeps what it has answered once there is room', async () => {
      const { batch, writing } = await cancelWhileFull();
      writing.mockRestore();
      const { output_file_id } = await ended(batch, 'cancelled');
      expect(idsOf(await linesOf(output_file_id))).toEqual(['a']);
    });

    it('does not hold up a cloud that shuts down', async () => {
      await cancelWhileFull();
      await cloud.close();
      cloud.close = async () => {};
    });
  });

  it('that waits for the requests of another one can be cancelled', async () => {
    script = async function* wait(_, signal) {
      yield text('Hello.');
      await untilAborted(signal);
    };
    await create(Array.from({ length: 8 }, (_, i) => chat(`${i}`)));
    await until(() => backend.open).toBe(8);
    const second = await ended(await create([chat('a')]), 'in_progress');
    // By then, the second one waits.
    await ended(await create([chat('a')]), 'in_progress');
    await cloud.openai.batches.cancel(second.id);
    expect(await ended(second, 'cancelled')).toMatchObject({ request_counts: { completed: 0, failed: 1 } });
  });

  it('expires after a day', async () => {
    script = async function* wait(task, signal) {
      cloud.clock.at += 24 * 3600 * 1000;
      yield* saying(text('Hello.'), end(5, 3))(task, signal);
    };
    const lines = Array.from({ length: 12 }, (_, i) => chat(`${i}`));
    const batch = await ended(await create(lines), 'expired');
    const errors = await linesOf(batch.error_file_id);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]).toMatchObject({ response: null, error: { code: 'batch_expired' } });
    expect(idsOf([...errors, ...(await linesOf(batch.output_file_id))])).toEqual(
      lines.map(line => line.custom_id).sort(),
    );
  });

  it('is continued by the next cloud, which asks only for what has no answer', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => chat(`r${i}`));
    let answers = 0;
    const { open, opened } = gate();
    script = async function* say(task, signal) {
      if (++answers > 10) {
        open();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
      yield* saying(text('Hello.'), end(5, 3))(task, signal);
    };
    const created = await create(lines);
    await opened;
    await until(async () => (await retrieve(created)).request_counts?.completed).toBe(10);
    await cloud.cloud.close(0);
    const next = scriptedBackend(saying(text('Hello.'), end(5, 3)));
    const second = await openMemoryCloud({ folder, backend: next, clock: cloud.clock });
    const { apiKey } = cloud;
    cloud.close = second.close;
    const openai = new OpenAI({
      apiKey,
      baseURL: BASE_URL,
      fetch: toFetch(second.cloud.fetch),
      maxRetries: 0,
    });
    expect(await retrieve(created, openai)).toMatchObject({ status: 'in_progress' });
    await second.cloud.start();
    const batch = await ended(created, 'completed', openai);
    expect(batch.request_counts).toEqual({ total: 30, completed: 30, failed: 0 });
    expect(idsOf(await linesOf(batch.output_file_id, openai))).toEqual(
      lines.map(line => line.custom_id).sort(),
    );
    expect(next.tasks).toHaveLength(20);
  });

  it('that has ended leaves nothing behind, even if the cloud was killed then', async () => {
    const { id } = await ended(await create([chat('a')]), 'completed');
    await until(work).toEqual([]);
    await mkdir(join(folder, 'batches', id), { recursive: true });
    await cloud.cloud.collectGarbage();
    expect(await work()).toEqual([]);
  });

  it.each(['engine_busy', 'engine_unavailable'] as const)(
    'keeps its answers, each once, while the reader of files is %s',
    async code => {
      const asked: AskedWork[] = [];
      script = async function* say(task, signal) {
        failRead = work => {
          if ([2, 4, 5].includes(asked.push(work))) throw new EngineError(code, 'Not now.');
        };
        yield* saying(text('Hello.'), end(5, 3))(task, signal);
      };
      const batch = await ended(await create([chat('a'), chat('b', { stream: true })]), 'completed');
      const accepted = asked.filter(({ isAccepted }) => isAccepted);
      expect([idsOf(await linesOf(batch.output_file_id)), accepted.length]).toEqual([['a'], 7]);
      for (const { id } of (await cloud.openai.files.list()).data) await cloud.openai.files.delete(id);
      expect(await readdir(join(folder, 'datasets'))).toEqual([]);
    },
  );

  it('fails if the reader of files ends again and again', async () => {
    let reads = 0;
    script = async function* say(task, signal) {
      failRead = () => {
        reads++;
        throw new EngineError('engine_unavailable', 'It ended.');
      };
      yield* saying(text('Hello.'), end(5, 3))(task, signal);
    };
    const { errors } = await ended(await create([chat('a')]), 'failed');
    expect([errors?.data, reads]).toMatchObject([[{ code: 'internal_error' }], 10]);
    expect(cloud.logged.splice(0)).toMatchObject([{ message: 'A batch failed.' }]);
  });

  it('needs its file while it runs', async () => {
    const { open, opened } = gate();
    script = async function* say(task, signal) {
      await opened;
      yield* saying(text('Hello.'), end(5, 3))(task, signal);
    };
    const batch = await create([chat('a')]);
    const deleting = () => cloud.openai.files.delete(batch.input_file_id);
    expect(await refusal(deleting())).toMatchObject({ status: 409, code: 'file_in_use' });
    open();
    await ended(batch, 'completed');
    expect(await deleting()).toMatchObject({ deleted: true });
  });

  it('of another project does not exist', async () => {
    const { batches } = (await cloud.openOther()).openai;
    const { id } = await create([chat('a')]);
    for (const call of ['retrieve', 'cancel'] as const)
      expect(await refusal(batches[call](id))).toMatchObject({ status: 404, code: 'batch_not_found' });
    expect((await batches.list()).data).toEqual([]);
  });
});

it('a list of batches has the newest first, in pages', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await create([chat('a')])).id);
  const all: string[] = [];
  for await (const { id } of cloud.openai.batches.list({ limit: 2 })) all.push(id);
  expect(all).toEqual(ids);
  expect(await refusal(cloud.openai.batches.list({ after: 'batch_x' }))).toMatchObject({ param: 'after' });
});

it('a request for a batch that is sent again with its key creates no second one', async () => {
  const file = await cloud.openai.files.create({ file: rowsFile(), purpose: 'batch' });
  const body = { input_file_id: file.id, endpoint: URL_OF_CHATS, completion_window: '24h' } as const;
  const headers = { 'Idempotency-Key': 'once' };
  const first = await cloud.openai.batches.create(body, { headers });
  expect(await cloud.openai.batches.create(body, { headers })).toMatchObject({ id: first.id });
});

it.each([
  [{ endpoint: '/v1/moderations' }, 'endpoint'],
  [{ completion_window: '1h' }, 'completion_window'],
  [{ input_file_id: 'file-x' }, 'input_file_id'],
  [{ metadata: { a: 1 } }, 'metadata.a'],
  [{ output_expires_after: { anchor: 'created_at', seconds: 1 } }, 'output_expires_after.seconds'],
])('a batch is refused for %j', async (more, param) => {
  expect(await refusal(create([chat('a')], more))).toMatchObject({ status: 400, param });
});

it('a batch is refused for a file with another purpose', async () => {
  const { id } = await cloud.openai.files.create({ file: rowsFile(), purpose: 'fine-tune' });
  const asked = refusal(create([chat('a')], { input_file_id: id }));
  expect(await asked).toMatchObject({ status: 400, param: 'input_file_id' });
});
