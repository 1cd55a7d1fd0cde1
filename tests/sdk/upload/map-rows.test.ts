// A trainer's own function, run on the rows of a data set before they are uploaded.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCloudClient } from '../../../lib/client/index.js';
import type { DatasetInput, MapRow } from '../../../lib/sdk/index.js';
import type { MapProgress } from '../../../lib/sdk/trainer/map-rows.js';
import { toDatasetSource } from '../../../lib/sdk/trainer/upload-dataset.js';
import { type FakeCloud, startFakeCloud } from '../../support/fake-cloud.js';

interface Received {
  name: string;
  columns: string | null;
  text: string;
}

let folder: string;
let fake: FakeCloud;
let received: Received[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-mapped-'));
  received = [];
  fake = await startFakeCloud({
    uploadDataset: async ({ body, request }) => {
      const { headers } = request as Request;
      const text = await new Response(body).text();
      received.push({ name: headers.get('x-filename')!, columns: headers.get('x-svc-columns'), text });
      return { dataset: { id: 'd', sha256: '0'.repeat(64), bytes: 1, rows: 1, format: 'jsonl' } };
    },
  });
});
afterEach(async () => {
  await fake.close();
  await rm(folder, { recursive: true, force: true });
});

async function upload(input: DatasetInput, signal?: AbortSignal) {
  const mapped: MapProgress[] = [];
  const cloud = createCloudClient({
    baseUrl: fake.url,
    token: 't',
    scope: { orgSlug: 'o', projectSlug: 'p' },
  });
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
const expected = pairs
  .map(({ question, reply }) => `${JSON.stringify({ prompt: question, completion: reply.text })}\n`)
  .join('');

async function mapFile(map: MapRow, content: string | Uint8Array = lines, name = 'chats.jsonl') {
  await writeFile(join(folder, name), content);
  return upload({ type: 'file', path: name, map });
}

describe('the map of a data set', () => {
  it.each<[string, string | Uint8Array]>([
    ['chats.jsonl', `\n${lines}`],
    ['chats.jsonl.gz', gzipSync(lines)],
    ['chats.json', JSON.stringify(pairs)],
  ])('makes the rows that are uploaded of those in %s, whatever their columns', async (name, content) => {
    const { source, mapped } = await mapFile(toRow, content, name);
    expect(source).toEqual({ type: 'upload', datasetId: 'd' });
    expect(received).toEqual([{ name: 'chats.mapped.jsonl', columns: null, text: expected }]);
    expect(mapped).toEqual([{ name, rows: 5, dropped: 0, isDone: true }]);
  });

  it('gets the cells of a table as they are', async () => {
    const seen: unknown[] = [];
    const map: MapRow = row => {
      seen.push(row);
      return { text: row.tools };
    };
    await mapFile(map, 'ID,tools\n1,"not [json"\n', 'a.csv');
    expect(seen).toEqual([{ ID: '1', tools: 'not [json' }]);
  });

  it('may be asynchronous, and leave rows out, which are counted', async () => {
    const map: MapRow = async row => {
      await Promise.resolve();
      if (row.question === 'q1') return null;
      return row.question === 'q3' ? undefined : toRow(row);
    };
    const { mapped } = await mapFile(map);
    expect(mapped).toEqual([{ name: 'chats.jsonl', rows: 5, dropped: 2, isDone: true }]);
    expect(received[0]!.text).toBe(
      expected
        .split('\n')
        .filter((_, i) => i !== 1 && i !== 3)
        .join('\n'),
    );
  });

  it.each<[string, MapRow, string]>([
    ['a text', (() => 'abc') as never, 'returned "abc", which is not an object'],
    ['a list', () => [1], 'returned [1], which is not an object'],
    ['nothing that can be learned', () => ({ q: 1 }), 'returned {"q":1}, which needs the column messages'],
    ['what JSON cannot hold', () => ({ text: 1n }), 'returned what JSON cannot hold (Do not know how'],
    ['too much to show', (() => 'x'.repeat(900)) as never, `returned "${'x'.repeat(199)}…`],
    [
      'an error',
      () => {
        throw new RangeError('no reply');
      },
      'threw RangeError: no reply',
    ],
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
    await expect(mapFile(map, '{"a":1}\n{"a"')).rejects.toMatchObject({
      code: 'dataset_invalid',
      message: 'chats.jsonl, row 2: not valid JSON.',
    });
    expect(map).toHaveBeenCalledTimes(1);
    await expect(upload({ type: 'file', path: 'none.jsonl', map })).rejects.toThrow(
      `Dataset ${join(folder, 'none.jsonl')} does not exist.`,
    );
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
    const web = createServer((_, response) => response.end(lines));
    await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void web.close());
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/chats.jsonl`;
    expect((await upload({ type: 'blob', url, map: toRow })).source).toEqual({
      type: 'upload',
      datasetId: 'd',
    });
    expect(received).toEqual([{ name: 'chats.mapped.jsonl', columns: null, text: expected }]);
  });

  it('leaves no files behind', async () => {
    const left = async () => (await readdir(tmpdir())).filter(name => name.startsWith('svc-map-'));
    const before = await left();
    await mapFile(toRow);
    await expect(mapFile((() => 1) as never)).rejects.toThrow('returned 1');
    expect((await left()).filter(name => !before.includes(name))).toEqual([]);
  });
});
