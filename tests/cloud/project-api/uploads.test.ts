// Uploads in parts to a project, by OpenAI's own client.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type FileHandle, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Upload as OpenAiUpload } from 'openai/resources/uploads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { openAiRoutes, ResponseOf } from '../../../lib/contract/index.js';
import { fileHandles } from '../../support/file-handles.js';
import { until } from '../../support/until.js';
import { gate } from '../backends/scripted-backend.js';
import { openProjectCloud, type ProjectCloud } from './project-cloud.js';
import { refusal } from './sample-project-api.js';

/** The official type is the judge, but for its file, which `files.test.ts` holds against its own. */
type Answered = Omit<ResponseOf<(typeof openAiRoutes)['createUpload']>, 'file'>;
const toOpenAi: (upload: Answered) => OpenAiUpload = upload => upload;

let cloud: ProjectCloud;
let uploads: ProjectCloud['openai']['uploads'];
beforeEach(async () => {
  cloud = await openProjectCloud();
  uploads = cloud.openai.uploads;
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect(cloud.logged).toEqual([]);
  await cloud.close();
});

const TEXT = '{"text":"one"}\n{"text":"two"}\n';
const PIECES = [TEXT.slice(0, 9), TEXT.slice(9, 20), TEXT.slice(20)];

const begin = (more: object = {}) =>
  uploads.create({
    bytes: TEXT.length,
    filename: 'rows.jsonl',
    mime_type: 'text/jsonl',
    purpose: 'fine-tune',
    ...more,
  });
const add = async ({ id }: { id: string }, data: string) =>
  (await uploads.parts.create(id, { data: new File([data], 'blob') })).id;
const parts = () => readdir(join(cloud.folder, 'parts')).catch(() => []);

describe('an upload', () => {
  it('becomes a file of its parts, in the order that completes it', async () => {
    const upload = await begin({ expires_after: { anchor: 'created_at', seconds: 7200 } });
    const at = Math.floor(cloud.clock.at / 1000);
    expect(toOpenAi(upload as never)).toEqual({
      id: expect.stringMatching(/^upload_[0-9a-f]{32}$/),
      object: 'upload',
      bytes: TEXT.length,
      created_at: at,
      expires_at: at + 3600,
      filename: 'rows.jsonl',
      purpose: 'fine-tune',
      status: 'pending',
      file: null,
    });
    const ids = (await Promise.all(PIECES.toReversed().map(piece => add(upload, piece)))).toReversed();
    await add(upload, PIECES[0]!);
    const md5 = createHash('md5').update(TEXT).digest('hex');
    const completed = await uploads.complete(upload.id, { part_ids: ids, md5 });
    expect(completed).toMatchObject({
      status: 'completed',
      file: { bytes: TEXT.length, expires_at: at + 7200 },
    });
    expect(await (await cloud.openai.files.content(completed.file!.id)).text()).toBe(TEXT);
    expect(await parts()).toEqual([]);
    expect(await uploads.complete(upload.id, { part_ids: ids })).toEqual(completed);
    expect(await refusal(uploads.parts.create(upload.id, { data: new File(['x'], 'x') }))).toMatchObject({
      status: 400,
    });
    expect(await refusal(uploads.cancel(upload.id))).toMatchObject({ status: 400 });
    expect((await cloud.openai.files.list()).data).toHaveLength(1);
  });

  it('that is cancelled, or an hour old, takes nothing more', async () => {
    const [cancelled, expired] = [await begin(), await begin()];
    const part = await add(cancelled, TEXT);
    expect(await uploads.cancel(cancelled.id)).toMatchObject({ status: 'cancelled' });
    expect(await uploads.cancel(cancelled.id)).toMatchObject({ status: 'cancelled' });
    expect(await parts()).toEqual([]);
    await add(expired, TEXT);
    cloud.clock.at += 3600 * 1000;
    for (const { id } of [cancelled, expired])
      expect(await refusal(uploads.complete(id, { part_ids: [part] }))).toMatchObject({ status: 400 });
    await cloud.cloud.collectGarbage();
    expect(await parts()).toEqual([]);
  });

  it.each([
    ['parts with fewer bytes', (ids: string[]) => ({ part_ids: ids.slice(1) }), 'part_ids'],
    ['a part that it does not have', (ids: string[]) => ({ part_ids: [...ids, 'part_x'] }), 'part_ids'],
    ['a name that leads elsewhere', () => ({ part_ids: ['../../cloud.db'] }), 'part_ids'],
    ['another checksum', (ids: string[]) => ({ part_ids: ids, md5: '0'.repeat(32) }), 'md5'],
    ['parts in an order that makes no rows', (ids: string[]) => ({ part_ids: ids.toReversed() }), null],
  ])('is not completed with %s, and can be after that', async (_, wrong, param) => {
    const upload = await begin();
    const ids: string[] = [];
    for (const piece of PIECES) ids.push(await add(upload, piece));
    expect(await refusal(uploads.complete(upload.id, wrong(ids)))).toMatchObject({ status: 400, param });
    expect(await uploads.complete(upload.id, { part_ids: ids })).toMatchObject({ status: 'completed' });
  });

  it('takes no more than twice its bytes', async () => {
    const upload = await begin();
    await add(upload, `${TEXT}${TEXT}x`);
    expect(await refusal(uploads.parts.create(upload.id, { data: new File(['x'], 'x') }))).toMatchObject({
      status: 400,
    });
  });

  it('takes no empty part, and no more than 20,000 parts', async () => {
    const upload = await begin();
    expect(await refusal(add(upload, ''))).toMatchObject({ status: 400, param: 'data' });
    const folder = join(cloud.folder, 'parts', upload.id);
    expect(await readdir(folder)).toEqual([]);
    await mkdir(folder, { recursive: true });
    for (let i = 0; i < 20_000; i++) writeFileSync(join(folder, `part_${i}`), '');
    expect(await refusal(add(upload, 'x'))).toMatchObject({ status: 400, code: 'invalid_value' });
  });

  it('that is cancelled as it is completed says so', async () => {
    const upload = await begin();
    const ids: string[] = [];
    for (const piece of PIECES) ids.push(await add(upload, piece));
    const handles = await fileHandles();
    const { writeFile } = handles;
    vi.spyOn(handles, 'writeFile').mockImplementationOnce(async function (this: FileHandle, chunk) {
      await uploads.cancel(upload.id);
      return writeFile.call(this, chunk);
    });
    const message = expect.stringContaining('is cancelled');
    const completing = refusal(uploads.complete(upload.id, { part_ids: ids }));
    expect(await completing).toMatchObject({ status: 400, message });
  });

  it.each(['completed', 'cancelled'])('that is %s meanwhile keeps no bytes for itself', async how => {
    const upload = await begin();
    const part_ids = [await add(upload, TEXT)];
    const handles = await fileHandles();
    const { writeFile } = handles;
    const { open, opened } = gate();
    vi.spyOn(handles, 'writeFile').mockImplementationOnce(async function (this: FileHandle, chunk) {
      await opened;
      return writeFile.call(this, chunk);
    });
    const first = uploads.complete(upload.id, { part_ids }).catch(() => null);
    await until(() => vi.mocked(handles.writeFile).mock.calls.length).toBe(1);
    if (how === 'cancelled') await uploads.cancel(upload.id);
    else await uploads.complete(upload.id, { part_ids });
    open();
    await first;
    const files = (await cloud.openai.files.list()).data;
    expect(files).toHaveLength(how === 'completed' ? 1 : 0);
    for (const { id } of files) await cloud.openai.files.delete(id);
    expect(await readdir(join(cloud.folder, 'datasets'))).toEqual([]);
  });

  it('of another project does not exist', async () => {
    const other = (await cloud.openOther()).openai.uploads;
    const { id } = await begin();
    const calls = [
      other.cancel(id),
      other.complete(id, { part_ids: ['x'] }),
      other.parts.create(id, { data: new File(['x'], 'x') }),
    ];
    for (const error of await Promise.all(calls.map(refusal)))
      expect(error).toMatchObject({ status: 404, code: 'upload_not_found' });
  });
});

it.each([
  [{ bytes: 0 }, 'bytes'],
  [{ bytes: 2 ** 31 + 1 }, 'bytes'],
  [{ purpose: 'vision' }, 'purpose'],
  [{ filename: '' }, 'filename'],
])('an upload is refused with %j', async (more, param) => {
  expect(await refusal(begin(more))).toMatchObject({ status: 400, param });
});
