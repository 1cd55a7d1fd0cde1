// A trainer's own function, run on the rows of a data set before they are uploaded.
import { readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createCloudClient } from '../../../lib/client/index.js';
import type { DatasetInput, MapRow } from '../../../lib/sdk/index.js';
import type { MapProgress } from '../../../lib/sdk/trainer/map-rows.js';
import { toDatasetSource } from '../../../lib/sdk/trainer/upload-dataset.js';
import { startServer } from '../../engine/train/data/web-server.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { diskFull, fileHandles } from '../../support/file-handles.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openFakeCloud } from '../support.js';

let folder: string;
let fake: FakeCloud;
let received: { name: string; columns: string | null; text: string }[];
beforeEach(async () => {
  folder = temporaryFolder('svc-mapped');
  received = [];
  fake = await openFakeCloud({
    uploadDataset: async ({ body, request }) => {
      const { headers } = request as Request;
      const text = await new Response(body).text();
      received.push({ name: headers.get('x-filename')!, columns: headers.get('x-svc-columns'), text });
      return { dataset: { id: 'd', sha256: '0'.repeat(64), bytes: 1, rows: 1, format: 'jsonl' } };
    },
  });
});

async function upload(input: DatasetInput, signal?: AbortSignal) {
  const mapped: MapProgress[] = [];
  const scope = { orgSlug: 'o', projectSlug: 'p' };
  const cloud = createCloudClient({ baseUrl: fake.url, token: 't', scope });
  const context = {
    folder,
    cloud: async () => cloud,
    onMap: (one: MapProgress) => one.isDone && mapped.push(one),
    signal,
  };
  return { source: await toDatasetSource(input, context), mapped };
}

const pairs = Array.from({ length: 5 }, (_, i) => ({ question: `q${i}`, reply: { text: `a${i}` } }));
const lines = pairs.map(pair => JSON.stringify(pair)).join('\n');
const toRow: MapRow = ({ question, reply }) => ({ prompt: question, completion: reply.text });
const mapped = pairs.map((_, i) => `{"prompt":"q${i}","completion":"a${i}"}`);
const toText = (rows: readonly string[]) => rows.map(row => `${row}\n`).join('');
const expected = toText(mapped);

async function mapFile(map: MapRow, content: string | Uint8Array = lines, name = 'chats.jsonl') {
  await writeFile(join(folder, name), content);
  return upload({ type: 'file', path: name, map });
}

const web = await startServer((_, response) => response.end(lines));

describe('the map of a data set', () => {
  it('needs room in the temporary folder, and says so where there is none', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'gone'));
    try {
      await expect(mapFile(toRow)).rejects.toThrow(
        `${join(folder, 'gone')} cannot be written: there is no such folder in ${folder} (ENOENT). Set TMPDIR to another folder.`,
      );
      vi.stubEnv('TMPDIR', folder);
      await writeFile(join(folder, 'chats.jsonl'), lines);
      const write = vi.spyOn(await fileHandles(), 'writeFile').mockRejectedValue(diskFull());
      await expect(upload({ type: 'file', path: 'chats.jsonl', map: toRow }))
        .rejects.toThrow(
          `${folder} cannot be written: the disk is full (ENOSPC). Free up space, or set TMPDIR to another folder.`,
        )
        .finally(() => write.mockRestore());
      expect(await readdir(folder)).toEqual(['chats.jsonl']);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each<[string, string | Uint8Array]>([
    ['chats.jsonl', `\n${lines}`],
    ['chats.jsonl.gz', gzipSync(lines)],
    ['chats.json', JSON.stringify(pairs)],
  ])('makes the rows that are uploaded of those in %s, whatever their columns', async (name, content) => {
    const { source, mapped: told } = await mapFile(toRow, content, name);
    expect(source).toEqual({ type: 'upload', datasetId: 'd' });
    expect(received).toEqual([{ name: `${name}.mapped.jsonl`, columns: null, text: expected }]);
    expect(told).toEqual([{ name, rows: 5, dropped: 0, isDone: true }]);
  });

  it('gets the cells of a table as they are', async () => {
    const map = vi.fn<MapRow>(row => ({ text: row.tools }));
    await mapFile(map, 'ID,tools\n1,"not [json"\n', 'a.csv');
    expect(map.mock.calls).toEqual([[{ ID: '1', tools: 'not [json' }]]);
  });

  it('may be asynchronous, and leave rows out, which are counted', async () => {
    const map: MapRow = async row => {
      await Promise.resolve();
      if (row.question === 'q1') return null;
      return row.question === 'q3' ? undefined : toRow(row);
    };
    const { mapped: told } = await mapFile(map);
    expect(told).toEqual([{ name: 'chats.jsonl', rows: 5, dropped: 2, isDone: true }]);
    expect(received[0]!.text).toBe(toText([0, 2, 4].map(i => mapped[i]!)));
  });

  const throwing: MapRow = () => {
    throw new RangeError('no reply');
  };

  it.each<[string, MapRow, string]>([
    ['a text', (() => 'abc') as never, 'returned "abc", which is not an object'],
    ['a list', () => [1], 'returned [1], which is not an object'],
    ['nothing that can be learned', () => ({ q: 1 }), 'returned {"q":1}, which needs the column messages'],
    ['what JSON cannot hold', () => ({ text: 1n }), 'returned what JSON cannot hold (Do not know how'],
    ['too much to show', (() => 'x'.repeat(900)) as never, `returned "${'x'.repeat(199)}…`],
    ['an error', throwing, 'threw RangeError: no reply'],
  ])('that gives %s is told with its row', async (_, wrong, problem) => {
    const map: MapRow = row => (row.question === 'q2' ? wrong(row) : toRow(row));
    await expect(mapFile(map, `\n${lines}`)).rejects.toMatchObject({
      code: 'dataset_invalid',
      param: 'dataset.map',
      message: expect.stringContaining(`chats.jsonl, row 4: \`map\` ${problem}`),
    });
    expect(received).toEqual([]);
  });

  it('that leaves out every row is an error', async () => {
    await expect(mapFile(() => null)).rejects.toThrow('chats.jsonl: `map` returned nothing for all 5 rows');
  });

  it('is not called for what cannot be read', async () => {
    const map = vi.fn<MapRow>();
    const fault = { code: 'dataset_invalid', message: 'chats.jsonl, row 2: not valid JSON.' };
    await expect(mapFile(map, '{"a":1}\n{"a"')).rejects.toMatchObject(fault);
    expect(map).toHaveBeenCalledTimes(1);
    const missing = upload({ type: 'file', path: 'none.jsonl', map });
    await expect(missing).rejects.toThrow(`Dataset ${join(folder, 'none.jsonl')} does not exist.`);
  });

  it('stops with the signal', async () => {
    const stop = new AbortController();
    await writeFile(join(folder, 'chats.jsonl'), lines);
    const map: MapRow = row => {
      stop.abort(new Error('enough'));
      return toRow(row);
    };
    await expect(upload({ type: 'file', path: 'chats.jsonl', map }, stop.signal)).rejects.toThrow('enough');
  });

  it('reads what a URL serves in this process', async () => {
    const url = `${web.url}/chats.jsonl`;
    const { source } = await upload({ type: 'blob', url, map: toRow });
    expect(source).toEqual({ type: 'upload', datasetId: 'd' });
    expect(received).toEqual([{ name: 'chats.jsonl.mapped.jsonl', columns: null, text: expected }]);
  });

  it('leaves no files behind', async () => {
    const left = async () => (await readdir(tmpdir())).filter(name => name.startsWith('svc-map-'));
    const before = await left();
    await mapFile(toRow);
    await expect(mapFile((() => 1) as never)).rejects.toThrow('returned 1');
    expect((await left()).filter(name => !before.includes(name))).toEqual([]);
  });
});
