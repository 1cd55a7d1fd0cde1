// Uploads: any bytes and any name, stored once. Data that cannot be trained on is refused and leaves no files.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Dataset, dataset as datasetSchema } from '../../../lib/contract/index.js';
import { createScriptedRunner, type ScriptedRunner } from '../jobs/scripted-runner.js';
import { openTestJobs, scope, type TestJobs } from '../jobs/test-jobs.js';

let runner: ScriptedRunner;
let cloud: TestJobs;
beforeEach(async () => {
  runner = createScriptedRunner();
  cloud = await openTestJobs(runner);
});
afterEach(() => cloud.close());

const parquet = fileURLToPath(new URL('../../engine/train/data/parquet/pairs-none.parquet', import.meta.url));
const names = (folder: string) => readdir(join(cloud.folder, folder)).catch(() => []);

type Bytes = string | Uint8Array<ArrayBuffer>;

function post(content: Bytes | ReadableStream, fileName?: string, at = scope): Promise<Response> {
  const body = content instanceof ReadableStream ? content : Buffer.from(content);
  const headers: Record<string, string> = fileName === undefined ? {} : { 'x-filename': fileName };
  return cloud.call('POST', `/v1/datasets${at}`, body, headers);
}

async function upload(content: Bytes, fileName?: string, at = scope): Promise<Dataset> {
  const response = await post(content, fileName, at);
  expect(response.status).toBe(201);
  return datasetSchema.parse(((await response.json()) as { dataset: unknown }).dataset);
}

/** Why an upload is refused, which leaves nothing. */
async function refusal(response: Response) {
  expect([await names('uploads'), await names('datasets')]).toEqual([[], []]);
  expect(await cloud.db.selectFrom('datasets').selectAll().execute()).toEqual([]);
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return { status: response.status, code: error.code, message: error.message };
}

/** The file name stored for an upload. */
async function labelOf(fileName: string | undefined): Promise<string> {
  const { id } = await upload('{"text":"a"}', fileName);
  const row = cloud.db.selectFrom('datasets').select('file_name').where('id', '=', id);
  return (await row.executeTakeFirstOrThrow()).file_name;
}

describe('an upload whose columns have other names', () => {
  const rows = '{"question":"a","answer":"b"}\n';
  const send = (columns: string) =>
    cloud.call('POST', `/v1/datasets${scope}`, Buffer.from(rows), {
      'x-filename': 'rows.jsonl',
      'x-svc-columns': encodeURIComponent(columns),
    });

  it('is checked for those, and a job may name them', async () => {
    const columns = { prompt: 'question', completion: 'answer' };
    const response = await send(JSON.stringify(columns));
    expect(response.status).toBe(201);
    const { dataset } = (await response.json()) as { dataset: Dataset };
    expect(dataset.rows).toBe(1);
    const datasetSource = { type: 'upload', datasetId: dataset.id, columns };
    const job = await cloud.create({ datasetSource } as Parameters<typeof cloud.create>[0], 'mapped');
    expect(job.config!.datasetSource).toEqual(datasetSource);
  });

  it.each([
    ['{"prompt":"question","completion":"reply"}', 'dataset_invalid', 'has no column "reply"'],
    ['{"promt":"question"}', 'invalid_value', '`promt` is not a known field'],
    ['[1]', 'invalid_value', 'x-svc-columns'],
    ['{', 'invalid_value', 'x-svc-columns'],
  ])('is refused with %s', async (columns, code, message) => {
    const refused = { status: 400, code, message: expect.stringContaining(message) };
    expect(await refusal(await send(columns))).toEqual(refused);
  });
});

describe('an upload', () => {
  it('is stored under the digest of its bytes, and its rows are counted', async () => {
    const rows = '{"text":"a"}\n{"text":"b"}\n';
    const sha256 = createHash('sha256').update(rows).digest('hex');
    const dataset = await upload(rows, 'rows.jsonl');
    expect(dataset).toEqual({ id: expect.any(String), sha256, bytes: 26, rows: 2, format: 'jsonl' });
    expect(await readFile(join(cloud.folder, 'datasets', sha256), 'utf8')).toBe(rows);
    expect(await names('uploads')).toEqual([]);
  });

  it.each([
    ['rows.json', '[{"text":"a\\n]"},{"text":"b"},{"text":"c"}]', 3, 'json'],
    ['rows.csv', 'text,x\n"a\nb",1\n\nc,2\n', 2, 'csv'],
    ['rows.jsonl.gz', gzipSync('{"text":"a"}\n{"text":"b"}'), 2, 'jsonl'],
    [undefined, '  {"prompt":"a","completion":"b"}', 1, 'jsonl'],
    ['noextension', '[{"text":"a"}]', 1, 'json'],
  ])('has its rows counted according to its format: %s', async (fileName, content, rows, format) => {
    expect(await upload(content, fileName)).toMatchObject({ rows, format });
  });

  it('may be Parquet, whatever its file name', async () => {
    expect(await upload(await readFile(parquet), 'rows.bin')).toMatchObject({ rows: 5, format: 'parquet' });
  });

  it('is stored once, even if another organization uploads it too', async () => {
    const first = await upload('{"text":"a"}', 'a.jsonl');
    expect(await upload('{"text":"a"}', 'b.jsonl')).toEqual(first);
    const other = await upload('{"text":"a"}', 'c.jsonl', '?orgSlug=org-b&projectSlug=one');
    expect(other.id).not.toBe(first.id);
    expect(other).toEqual({ ...first, id: other.id });
    expect(await names('datasets')).toHaveLength(1);
  });

  it("is passed to a job's trainer with its file name", async () => {
    const { id: datasetId, sha256 } = await upload('text\na\n', 'my%20rows.csv');
    await cloud.create({ datasetSource: { type: 'upload', datasetId } });
    await cloud.jobs.start();
    const path = join(cloud.folder, 'datasets', sha256);
    const { source } = (await runner.next()).task.request;
    expect(source).toEqual({ type: 'file', path, fileName: 'my rows.csv' });
  });

  it('fails its job when it no longer exists', async () => {
    const { id: datasetId } = await upload('{"text":"a"}');
    const { id } = await cloud.create({ datasetSource: { type: 'upload', datasetId } });
    await cloud.db.updateTable('datasets').set({ sha256: 'gone' }).execute();
    await cloud.jobs.start();
    expect((await cloud.until(id, 'failed')).error).toMatch(/no longer exists\. Upload it/);
  });
});

describe('the file name of an upload', () => {
  it.each([
    ['rows.jsonl', 'rows.jsonl'],
    ['%C3%BC%20%E2%9C%93.jsonl', 'ü ✓.jsonl'],
    ['../../../etc/passwd', 'passwd'],
    ['..%2F..%2Fx.jsonl', 'x.jsonl'],
    ['C:\\data\\x.jsonl', 'x.jsonl'],
    ['a%00b%1b[31m%0a%E2%80%AE.jsonl', 'ab[31m.jsonl'],
    ['100%.jsonl', '100%.jsonl'],
    ['..', '..'],
    ['///', 'data'],
    [undefined, 'data'],
    [`${'x'.repeat(300)}.jsonl`, `${'x'.repeat(249)}.jsonl`],
  ])('is cleaned up and never used as a path: %s', async (given, label) => {
    expect(await labelOf(given)).toBe(label);
    expect((await names('datasets')).every(name => /^[0-9a-f]{64}$/.test(name))).toBe(true);
    expect((await readdir(cloud.folder)).sort()).toEqual(expect.arrayContaining(['datasets', 'uploads']));
  });
});

describe('an upload that cannot be trained on', () => {
  it.each([
    ['', 'rows.jsonl', /^rows\.jsonl: contains no rows$/],
    ['{"text":"a"}\n{"text"', 'rows.jsonl', /^rows\.jsonl, row 2: not valid JSON/],
    ['{"color":"red"}', 'rows.jsonl', /^rows\.jsonl, row 1: needs the column messages.*"color"/],
    ['a,b\n1,2\n', 'rows.csv', /its header needs the column/],
    ['hello', 'notes.txt', /^notes\.txt: its format is not supported; use JSON lines/],
    ['{"text":"a"}', 'rows.parquet', /is not a Parquet file/],
  ])('is refused: %j as %s', async (content, fileName, message) => {
    const refused = { status: 400, code: 'dataset_invalid', message: expect.stringMatching(message) };
    expect(await refusal(await post(content, fileName))).toEqual(refused);
  });

  it('answers 503 when the disk is full, and leaves no files', async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: controller => controller.error(Object.assign(new Error('write'), { code: 'ENOSPC' })),
    });
    const message = expect.stringMatching(/disk is full.*svc cloud gc/);
    const refused = { status: 503, code: 'storage_unavailable', message };
    expect(await refusal(await post(body, 'rows.jsonl'))).toEqual(refused);
  });
});
