// Files of a project, by OpenAI's own client.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { FileDeleted, FileObject as OpenAiFile } from 'openai/resources/files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerOf, openAiRoutes } from '../../../lib/contract/index.js';
import { listen } from '../../../lib/http/index.js';
import { until } from '../../support/until.js';
import { openProjectCloud, type ProjectCloud, refusal, rowsFile } from './project-cloud.js';

/** The official types are the judge: this file does not compile if an answer deviates. */
type Routes = typeof openAiRoutes;
const toOpenAi: (file: AnswerOf<Routes['getFile']>) => OpenAiFile = file => file;
const toDeleted: (deleted: AnswerOf<Routes['deleteFile']>) => FileDeleted = deleted => deleted;

let cloud: ProjectCloud;
beforeEach(async () => {
  cloud = await openProjectCloud();
});
afterEach(() => cloud.close());

const names = (folder: string) => readdir(join(cloud.folder, folder)).catch(() => []);
const upload = (file = rowsFile(), client = cloud.openai) =>
  client.files.create({ file, purpose: 'fine-tune' });
const listIds = async (query = {}) => (await cloud.openai.files.list(query)).data.map(({ id }) => id);

describe('a file', () => {
  it('is uploaded, looked up, read and deleted', async () => {
    const given = rowsFile('grüße.jsonl');
    const file = await upload(given);
    expect(file).toEqual({
      id: expect.stringMatching(/^file-[0-9a-f]{32}$/),
      object: 'file',
      bytes: given.size,
      created_at: Math.floor(cloud.clock.at / 1000),
      filename: 'grüße.jsonl',
      purpose: 'fine-tune',
      status: 'processed',
    });
    expect(toOpenAi(file as never)).toBe(file);
    expect(await cloud.openai.files.retrieve(file.id)).toEqual(file);
    expect(await cloud.openai.files.waitForProcessing(file.id)).toEqual(file);
    const content = await cloud.openai.files.content(file.id);
    expect(content.headers.get('content-length')).toBe(String(given.size));
    expect(content.headers.get('content-disposition')).toContain("utf-8''gr%C3%BC%C3%9Fe.jsonl");
    expect(await content.text()).toBe(await given.text());
    const deleted = await cloud.openai.files.delete(file.id);
    expect(deleted).toEqual(toDeleted({ id: file.id, object: 'file', deleted: true }));
    for (const call of ['retrieve', 'content', 'delete'] as const)
      expect(await refusal(cloud.openai.files[call](file.id))).toMatchObject({
        status: 404,
        code: 'file_not_found',
      });
    expect([await names('datasets'), await names('uploads')]).toEqual([[], []]);
  });

  it('may come before its purpose or after it', async () => {
    for (const order of [
      ['file', 'purpose'],
      ['purpose', 'file'],
    ]) {
      const form = new FormData();
      for (const name of order) form.append(name, name === 'file' ? rowsFile() : 'fine-tune');
      const response = await cloud.send('/files', { method: 'POST', body: form });
      expect(response.status).toBe(200);
    }
  });

  it('is a name: the same bytes are stored once, until their last name is deleted', async () => {
    const [first, second] = [await upload(rowsFile('a.jsonl')), await upload(rowsFile('b.jsonl'))];
    expect(first.id).not.toBe(second.id);
    expect(await names('datasets')).toHaveLength(1);
    await cloud.openai.files.delete(first.id);
    expect(await (await cloud.openai.files.content(second.id)).text()).toBe(await rowsFile().text());
    await cloud.openai.files.delete(second.id);
    expect(await names('datasets')).toEqual([]);
  });

  it('leaves an upload by svc that no job has named yet', async () => {
    await cloud.svc.uploadDataset('rows.jsonl', await rowsFile().text());
    const { id } = await upload();
    await cloud.openai.files.delete(id);
    expect(await names('datasets')).toHaveLength(1);
  });

  it('is kept by garbage collection, however old it is', async () => {
    const { id } = await upload();
    cloud.clock.at += 1000 * 24 * 60 * 60 * 1000;
    expect(await cloud.cloud.collectGarbage()).toEqual({ files: 0, bytes: 0 });
    expect(await (await cloud.openai.files.content(id)).text()).toBe(await rowsFile().text());
  });

  it('of another project does not exist', async () => {
    const other = (await cloud.openOther()).openai;
    const { id } = await upload();
    expect((await other.files.list()).data).toEqual([]);
    for (const call of ['retrieve', 'content', 'delete'] as const)
      expect(await refusal(other.files[call](id))).toMatchObject({ status: 404 });
    expect(await listIds()).toEqual([id]);
  });
});

describe('a list of files', () => {
  it('has the newest first, in pages', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await upload(rowsFile(`${i}.jsonl`))).id);
    expect(await listIds()).toEqual(ids);
    expect(await listIds({ order: 'asc' })).toEqual(ids.toReversed());
    const page = await cloud.send(`/files?limit=2&after=${ids[0]}`);
    expect(await page.json()).toMatchObject({ has_more: true, first_id: ids[1], last_id: ids[2] });
    const all: string[] = [];
    for await (const { id } of cloud.openai.files.list({ limit: 2 })) all.push(id);
    expect(all).toEqual(ids);
    expect(await listIds({ order: 'asc', limit: 3, after: ids[4] })).toEqual([ids[3], ids[2], ids[1]]);
  });

  it('may be empty, or asked for one purpose', async () => {
    const empty = { object: 'list', data: [], has_more: false, first_id: null, last_id: null };
    expect(await (await cloud.send('/files')).json()).toEqual(empty);
    const { id } = await upload();
    expect(await listIds({ purpose: 'fine-tune' })).toEqual([id]);
    expect(await listIds({ purpose: 'batch' })).toEqual([]);
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 10_001 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ limit: 'x' }, 'limit'],
    [{ order: 'up' }, 'order'],
    [{ after: 'file-unknown' }, 'after'],
    [{ purpose: 'fine-tune-results' }, 'purpose'],
  ])('is refused for %j', async (query, param) => {
    expect(await refusal(cloud.openai.files.list(query as object))).toMatchObject({ status: 400, param });
  });
});

describe('an upload that is refused', () => {
  afterEach(async () => {
    expect([await names('datasets'), await names('uploads')]).toEqual([[], []]);
    expect(await listIds()).toEqual([]);
  });

  it.each([
    ['{"messages":[{"role":"user"', 'rows.jsonl, row 1: not valid JSON'],
    ['{"text":"a"}\n{"color":1}', 'rows.jsonl, row 2: '],
    ['', 'rows.jsonl: contains no rows'],
  ])('names the row and what is wrong with it: %j', async (text, message) => {
    const error = await refusal(upload(new File([text], 'rows.jsonl')));
    expect(error).toMatchObject({ status: 400, code: 'dataset_invalid', type: 'invalid_request_error' });
    expect(error.message).toContain(message);
  });

  it('names the field', async () => {
    const file = rowsFile();
    const { files } = cloud.openai;
    for (const purpose of ['batch', 'assistants'] as const)
      expect(await refusal(files.create({ file, purpose }))).toMatchObject({ status: 400, param: 'purpose' });
    const expires_after = { anchor: 'created_at', seconds: 3600 } as const;
    expect(await refusal(files.create({ file, purpose: 'fine-tune', expires_after }))).toMatchObject({
      code: 'unsupported_parameter',
      param: 'expires_after',
    });
    const form = new FormData();
    form.append('file', file);
    const response = await cloud.send('/files', { method: 'POST', body: form });
    expect(await response.json()).toMatchObject({ error: { param: 'purpose' } });
  });

  it('needs a key before anything is read', async () => {
    const body = new ReadableStream({
      pull() {
        throw new Error('It was read.');
      },
    });
    const headers = { authorization: 'Bearer nothing', 'content-type': 'multipart/form-data; boundary=x' };
    const response = await cloud.call('/openai/v1/files', {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as never);
    expect(response.status).toBe(401);
  });

  it.each([
    ['while its file comes', 0.5],
    ['after its file', 0.99],
  ])('leaves nothing behind when it is cut off %s', async (_, share) => {
    const form = new FormData();
    form.append('file', rowsFile('rows.jsonl', 2000));
    form.append('purpose', 'fine-tune');
    const whole = new Response(form);
    const bytes = new Uint8Array(await whole.arrayBuffer());
    const cut = share === 0.99 ? bytes.length - 60 : Math.floor(bytes.length * share);
    const response = await cloud.send('/files', {
      method: 'POST',
      headers: { 'content-type': whole.headers.get('content-type')! },
      body: bytes.slice(0, cut),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'malformed_request' } });
  });
});

it('an upload whose sender disappears leaves nothing behind', async () => {
  const server = await listen(cloud.cloud, { ports: [0] });
  const sent = request({
    host: '127.0.0.1',
    port: server.port,
    method: 'POST',
    path: '/openai/v1/files',
    headers: {
      authorization: `Bearer ${cloud.apiKey}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': 1000,
    },
  }).on('error', () => {});
  sent.write('--b\r\nContent-Disposition: form-data; name="file"; filename="rows.jsonl"\r\n\r\n{"text":"a"}');
  await until(() => names('uploads')).toHaveLength(1);
  sent.destroy();
  await until(() => names('uploads')).toEqual([]);
  expect([await names('datasets'), await listIds(), cloud.logged]).toEqual([[], [], []]);
  await server.close();
});

it('a large upload goes to the disk as it comes', async () => {
  const row = `${JSON.stringify({ text: 'x'.repeat(1000) })}\n`;
  const chunk = new TextEncoder().encode(row.repeat(256));
  const chunks = 200;
  await mkdir(join(cloud.folder, 'uploads'), { recursive: true });
  let sent = 0;
  let ahead = 0;
  const encode = (text: string) => new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (sent === 0)
          controller.enqueue(
            encode('--b\r\nContent-Disposition: form-data; name="file"; filename="rows.jsonl"\r\n\r\n'),
          );
        const [file] = await names('uploads');
        if (file) {
          const { size } = await stat(join(cloud.folder, 'uploads', file));
          ahead = Math.max(ahead, sent * chunk.length - size);
        }
        if (sent++ < chunks) return controller.enqueue(chunk.slice());
        controller.enqueue(
          encode('\r\n--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nfine-tune\r\n--b--\r\n'),
        );
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const response = await cloud.send('/files', { method: 'POST', headers, body, duplex: 'half' } as never);
  expect(await response.json()).toMatchObject({ bytes: chunks * chunk.length, status: 'processed' });
  expect(ahead).toBeLessThan(4 * chunk.length);
});
