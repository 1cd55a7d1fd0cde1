// Files of a project, by OpenAI's own client.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { FileDeleted, FileObject as OpenAiFile } from 'openai/resources/files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolders } from '../../../lib/cloud/disk/folders.js';
import { startExpiry } from '../../../lib/cloud/project-api/expiry.js';
import { openDb } from '../../../lib/cloud/store/db.js';
import type { openAiRoutes, ResponseOf } from '../../../lib/contract/index.js';
import { listen } from '../../../lib/http/index.js';
import { until } from '../../support/until.js';
import { MODEL, openProjectCloud, type ProjectCloud, rowsFile } from './project-cloud.js';
import { refusal } from './sample-project-api.js';

/** The official types are the judge: this file does not compile if an answer deviates. */
type Routes = typeof openAiRoutes;
/** The official type lacks a purpose that the API takes. */
type Returned = Omit<OpenAiFile, 'purpose'> & { purpose: OpenAiFile['purpose'] | 'evals' };
const toOpenAi: (file: ResponseOf<Routes['getFile']>) => Returned = file => file as Returned;
const toDeleted: (deleted: ResponseOf<Routes['deleteFile']>) => FileDeleted = deleted => deleted;

let cloud: ProjectCloud;
let files: ProjectCloud['openai']['files'];
beforeEach(async () => {
  cloud = await openProjectCloud();
  files = cloud.openai.files;
});
afterEach(() => cloud.close());

const names = (folder: string) => readdir(join(cloud.folder, folder)).catch(() => []);
const upload = (file = rowsFile()) => files.create({ file, purpose: 'fine-tune' });
const listIds = async (query = {}) => (await files.list(query)).data.map(({ id }) => id);
const textOf = async (id: string) => (await files.content(id)).text();
/** Deletes what has expired, as the cloud does each minute. Returns what was let go of. */
async function sweep(): Promise<string[]> {
  const db = await openDb(join(cloud.folder, 'cloud.db'));
  const released: string[] = [];
  const release = async ({ ids }: { ids: string[] }) => void released.push(...ids);
  const log = (line: unknown) => void cloud.logged.push(line);
  const folders = createFolders(cloud.folder);
  await startExpiry({
    db,
    datasets: { release } as never,
    folders,
    clock: cloud.clock,
    deps: { log },
  }).stop();
  await db.destroy();
  return released;
}
const PREFERENCE = {
  input: { messages: [{ role: 'user', content: 'a' }], tools: [], parallel_tool_calls: true },
  preferred_output: [{ role: 'assistant', content: 'b' }],
  non_preferred_output: [{ role: 'assistant', content: 'c' }],
};
const CALLS = ['retrieve', 'content', 'delete'] as const;

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
    expect(await files.retrieve(file.id)).toEqual(file);
    expect(await files.waitForProcessing(file.id)).toEqual(file);
    const content = await files.content(file.id);
    expect(content.headers.get('content-length')).toBe(String(given.size));
    expect(content.headers.get('content-disposition')).toContain("utf-8''gr%C3%BC%C3%9Fe.jsonl");
    expect(await content.text()).toBe(await given.text());
    const deleted = toDeleted({ id: file.id, object: 'file', deleted: true });
    expect(await files.delete(file.id)).toEqual(deleted);
    for (const call of CALLS)
      expect(await refusal(files[call](file.id))).toMatchObject({ status: 404, code: 'file_not_found' });
    expect([await names('datasets'), await names('uploads')]).toEqual([[], []]);
  });

  it('is a name: the same bytes are stored once, until their last name is deleted', async () => {
    const [first, second] = [await upload(rowsFile('a.jsonl')), await upload(rowsFile('b.jsonl'))];
    expect(first.id).not.toBe(second.id);
    expect(await names('datasets')).toHaveLength(1);
    await files.delete(first.id);
    expect(await textOf(second.id)).toBe(await rowsFile().text());
    await files.delete(second.id);
    expect(await names('datasets')).toEqual([]);
  });

  it('leaves an upload by svc that no job has named yet', async () => {
    await cloud.svc.uploadDataset('rows.jsonl', await rowsFile().text());
    await files.delete((await upload()).id);
    expect(await names('datasets')).toHaveLength(1);
  });

  it('is kept by garbage collection, however old it is', async () => {
    const { id } = await upload();
    cloud.clock.at += 1000 * 24 * 60 * 60 * 1000;
    expect(await cloud.cloud.collectGarbage()).toEqual({ files: 0, bytes: 0 });
    expect(await textOf(id)).toBe(await rowsFile().text());
  });

  it.each(['batch', 'user_data', 'evals'] as const)('for %s holds any bytes', async purpose => {
    const given = new File(['not rows\0'], 'notes.bin');
    const file = await files.create({ file: given, purpose });
    expect(file).toMatchObject({ purpose, bytes: given.size, status: 'processed' });
    expect(await textOf(file.id)).toBe('not rows\0');
    expect([await listIds({ purpose }), await listIds({ purpose: 'fine-tune' })]).toEqual([[file.id], []]);
    const job = cloud.openai.fineTuning.jobs.create({ model: MODEL, training_file: file.id });
    expect(await refusal(job)).toMatchObject({ status: 400, param: 'training_file' });
  });

  it.each([
    ['user_data', {}, undefined],
    ['user_data', { expires_after: { anchor: 'created_at', seconds: 3600 } }, 3600],
    ['batch', {}, 30 * 24 * 3600],
  ] as const)('for %s with %j is deleted after %s seconds', async (purpose, more, seconds) => {
    const file = await files.create({ file: rowsFile(), purpose, ...more });
    expect(file.expires_at).toBe(seconds && file.created_at + seconds);
    cloud.clock.at += ((seconds ?? 1000 * 24 * 3600) - 1) * 1000;
    expect([await sweep(), await listIds()]).toEqual([[], [file.id]]);
    cloud.clock.at += 1000;
    expect([(await sweep()).length, await listIds()]).toEqual(seconds ? [1, []] : [0, [file.id]]);
  });

  it('that a batch had no time to delete is deleted', async () => {
    await mkdir(join(cloud.folder, 'batches', 'batch_ended'), { recursive: true });
    await sweep();
    expect(await names('batches')).toEqual([]);
  });

  it('of another project does not exist', async () => {
    const other = (await cloud.openOther()).openai.files;
    const { id } = await upload();
    expect((await other.list()).data).toEqual([]);
    for (const call of CALLS) expect(await refusal(other[call](id))).toMatchObject({ status: 404 });
    expect(await listIds()).toEqual([id]);
  });
});

describe('a list of files', () => {
  it('has the newest first, in pages, of one purpose if asked', async () => {
    const empty = { object: 'list', data: [], has_more: false, first_id: null, last_id: null };
    expect(await (await cloud.send('/files')).json()).toEqual(empty);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await upload(rowsFile(`${i}.jsonl`))).id);
    expect(await listIds()).toEqual(ids);
    expect(await listIds({ order: 'asc' })).toEqual(ids.toReversed());
    const page = await cloud.send(`/files?limit=2&after=${ids[0]}`);
    expect(await page.json()).toMatchObject({ has_more: true, first_id: ids[1], last_id: ids[2] });
    const all: string[] = [];
    for await (const { id } of files.list({ limit: 2 })) all.push(id);
    expect(all).toEqual(ids);
    expect(await listIds({ order: 'asc', limit: 3, after: ids[4] })).toEqual([ids[3], ids[2], ids[1]]);
    expect([await listIds({ purpose: 'fine-tune' }), await listIds({ purpose: 'batch' })]).toEqual([ids, []]);
  });

  it('goes on after a file that was deleted since its page', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await upload(rowsFile(`${i}.jsonl`))).id);
    const deleted: string[] = [];
    for await (const { id } of files.list({ limit: 2 })) {
      deleted.push(id);
      await files.delete(id);
    }
    expect(deleted).toEqual(ids);
    expect(await listIds()).toEqual([]);
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
    expect(await refusal(files.list(query as object))).toMatchObject({ status: 400, param });
  });
});

describe('an upload', () => {
  const FILE_HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="rows.jsonl"\r\n\r\n';
  it('whose sender disappears leaves nothing behind', async () => {
    const server = await listen(cloud.cloud, { ports: [0] });
    const headers = {
      authorization: `Bearer ${cloud.apiKey}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': 1000,
    };
    const at = { host: '127.0.0.1', port: server.port, path: '/openai/v1/files' };
    const sent = request({ ...at, method: 'POST', headers }).on('error', () => {});
    sent.write(`${FILE_HEAD}{"text":"a"}`);
    await until(() => names('uploads')).toHaveLength(1);
    sent.destroy();
    await until(() => names('uploads')).toEqual([]);
    expect([await names('datasets'), await listIds(), cloud.logged]).toEqual([[], [], []]);
    await server.close();
  });

  it('goes to the disk as it comes', async () => {
    const encode = (text: string) => new TextEncoder().encode(text);
    const chunk = encode(`${JSON.stringify({ text: 'x'.repeat(1000) })}\n`.repeat(256));
    const chunks = 200;
    await mkdir(join(cloud.folder, 'uploads'), { recursive: true });
    let sent = 0;
    let ahead = 0;
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (sent === 0) controller.enqueue(encode(FILE_HEAD));
      const [file] = await names('uploads');
      if (file) {
        const { size } = await stat(join(cloud.folder, 'uploads', file));
        ahead = Math.max(ahead, sent * chunk.length - size);
      }
      if (sent++ < chunks) return controller.enqueue(chunk.slice());
      const rest = 'Content-Disposition: form-data; name="purpose"\r\n\r\nfine-tune';
      controller.enqueue(encode(`\r\n--b\r\n${rest}\r\n--b--\r\n`));
      controller.close();
    };
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await cloud.send('/files', { method: 'POST', headers, body, duplex: 'half' } as never);
    expect(await response.json()).toMatchObject({ bytes: chunks * chunk.length, status: 'processed' });
    expect(ahead).toBeLessThan(4 * chunk.length);
  });
});

it.each([
  ['that answers a prompt', '{"messages":[{"role":"user","content":"a"}],"answer":3}'],
  ['of a preference', '{"prompt":"a","chosen":"b","rejected":"c"}\n{"text":"a"}'],
  ["of OpenAI's preference", JSON.stringify(PREFERENCE)],
  ['whose other columns are of another method', '{"messages":"a","prompt":"a","chosen":"b","rejected":"c"}'],
])('a row is taken if any method can train on it: one %s', async (_, text) => {
  expect(await upload(new File([text], 'rows.jsonl'))).toMatchObject({ status: 'processed' });
});

describe('an upload that is refused', () => {
  afterEach(async () => {
    expect([await names('datasets'), await names('uploads'), await listIds()]).toEqual([[], [], []]);
  });

  it.each([
    ['{"messages":[{"role":"user"', 'rows.jsonl, row 1: not valid JSON'],
    ['{"text":"a"}\n{"color":1}', 'rows.jsonl, row 2: '],
    ['', 'rows.jsonl: contains no rows'],
    ['{"messages":[]}', 'rows.jsonl, row 1: messages is empty'],
    ['{"messages":"x"}', 'rows.jsonl, row 1: messages is not a list'],
    [
      '{"text":"a"}\n{"messages":[{"role":"bogus","content":"a"}]}',
      'row 2: messages[0].role is "bogus"; use ',
    ],
    ['{"messages":[{"content":"a"}]}', 'row 1: messages[0] has no role'],
    [
      '{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a.b"}}]}]}',
      'row 1: messages[0].content[0] is not a text part',
    ],
    ['{"prompt":1,"completion":2}', 'row 1: prompt is neither a string nor a list of messages'],
    [
      '{"prompt":"a","chosen":"b","rejected":3}',
      'row 1: rejected is neither a string nor a list of messages',
    ],
  ])('names the row and what is wrong with it: %j', async (text, what) => {
    const message = expect.stringContaining(what);
    const invalid = { status: 400, code: 'dataset_invalid', type: 'invalid_request_error', message };
    expect(await refusal(upload(new File([text], 'rows.jsonl')))).toMatchObject(invalid);
  });

  it('names the field', async () => {
    const file = rowsFile();
    const body = new FormData();
    body.append('file', file);
    const withoutPurpose = await cloud.send('/files', { method: 'POST', body });
    expect(await withoutPurpose.json()).toMatchObject({ error: { param: 'purpose' } });
    for (const purpose of ['vision', 'assistants'] as const)
      expect(await refusal(files.create({ file, purpose }))).toMatchObject({ status: 400, param: 'purpose' });
    const expires_after = { anchor: 'created_at', seconds: 60 } as const;
    const soon = await refusal(files.create({ file, purpose: 'fine-tune', expires_after }));
    expect(soon).toMatchObject({ code: 'invalid_value', param: 'expires_after.seconds' });
    const empty = files.create({ file: new File([''], 'empty.jsonl'), purpose: 'batch' });
    expect(await refusal(empty)).toMatchObject({ code: 'invalid_value', param: 'file' });
  });

  it('needs a key before anything is read', async () => {
    const pull = () => {
      throw new Error('It was read.');
    };
    const headers = { authorization: 'Bearer nothing', 'content-type': 'multipart/form-data; boundary=x' };
    const init = { method: 'POST', headers, body: new ReadableStream({ pull }), duplex: 'half' };
    expect((await cloud.call('/openai/v1/files', init as never)).status).toBe(401);
  });

  it.each([
    ['while its file comes', (length: number) => length / 2],
    ['after its file', (length: number) => length - 60],
  ])('leaves nothing behind when it is cut off %s', async (_, cut) => {
    const form = new FormData();
    form.append('file', rowsFile('rows.jsonl', 2000));
    form.append('purpose', 'fine-tune');
    const whole = new Response(form);
    const headers = { 'content-type': whole.headers.get('content-type')! };
    const bytes = new Uint8Array(await whole.arrayBuffer());
    const body = bytes.slice(0, cut(bytes.length));
    const response = await cloud.send('/files', { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'malformed_request' } });
  });
});
