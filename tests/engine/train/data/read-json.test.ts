import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DatasetError, maxRowBytes } from '../../../../lib/engine/train/data/index.js';
import { readJsonLines } from '../../../../lib/engine/train/data/read-json-lines.js';
import { createFiles, faultOf, readAll } from './dataset-files.js';

const write = createFiles();
const read = async (name: string, content: string | Uint8Array) => readAll(write(name, content));
const fault = (name: string, content: string | Uint8Array) => faultOf(read(name, content));

describe('JSON lines', () => {
  it('give rows that know their file and line', async () => {
    const chat = { messages: [{ role: 'user', content: 'Grüße ✓' }], extra: [1, null] };
    expect(await read('chat.jsonl', `${JSON.stringify(chat)}\n\n{"text":"b"}\n`)).toEqual([
      { row: chat, file: 'chat.jsonl', number: 1 },
      { row: { text: 'b' }, file: 'chat.jsonl', number: 3 },
    ]);
  });

  it('may end with CRLF or without a line end, and start with a byte order mark', async () => {
    const rows = await read('a.ndjson', '\ufeff{"text":"a"}\r\n{"prompt":"b","completion":"c"}');
    expect(rows.map(({ row }) => row)).toEqual([{ text: 'a' }, { prompt: 'b', completion: 'c' }]);
  });

  it('may be compressed, whether the name shows it or not', async () => {
    const zipped = gzipSync('{"text":"a"}\n');
    for (const name of ['a.jsonl.gz', 'a.jsonl', 'a.gz'])
      expect(await read(name, zipped)).toEqual([{ row: { text: 'a' }, file: name, number: 1 }]);
  });

  it('may be in a .json file, or in a file with any name', async () => {
    for (const name of ['a.json', 'a.txt', 'a'])
      expect(await read(name, '{"text":"a"}\n{"text":"b"}\n')).toHaveLength(2);
  });

  it('are read as a stream', async () => {
    async function* endless() {
      for (;;) yield Buffer.from('{"text":"again"}\n{"text":"and');
    }
    const rows = readJsonLines(endless(), 'endless');
    expect((await rows.next()).value).toMatchObject({ row: { text: 'again' }, number: 1 });
    await expect(rows.next()).rejects.toThrow('endless, row 2: not valid JSON');
  });

  it('report errors by line', async () => {
    expect(await fault('rows.jsonl', '{"text":"a"}\n\n{"text":')).toBe('rows.jsonl, row 3: not valid JSON');
    expect(await fault('rows.jsonl', '{"text":"a"}\n"text"\n')).toBe('rows.jsonl, row 2: not a JSON object');
    expect(await fault('rows.jsonl', '{"text":"a"}\n[]\n')).toBe('rows.jsonl, row 2: not a JSON object');
    expect(await fault('rows.jsonl', '{"text":"a"}\n{"q":1,"prompt":"p"}')).toBe(
      `rows.jsonl, row 2: needs the column messages, or prompt and completion, or conversations (ShareGPT), or instruction and output (Alpaca), or text, or chosen and rejected (preferences), or preferred_output and non_preferred_output (OpenAI's preferences); it has "q", "prompt"`,
    );
  });

  it('report invalid UTF-8 by line', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"text":"a"}\n{"text":"'),
      Buffer.from([0xe9]),
      Buffer.from('"}'),
    ]);
    expect(await fault('latin1.jsonl', bytes)).toBe('latin1.jsonl, row 2: not valid UTF-8');
    const utf16 = Buffer.from('\ufeff{"text":"a"}', 'utf16le');
    expect(await fault('utf16.jsonl', utf16)).toBe('utf16.jsonl, row 1: not valid UTF-8');
  });

  it('may be 16 MB long, and not a byte longer', async () => {
    const line = (length: number) => `{"text":"${'x'.repeat(length - '{"text":""}'.length)}"}`;
    expect(await read('long.jsonl', `${line(maxRowBytes)}\n`)).toHaveLength(1);
    const tooLong = `{"text":"a"}\n${line(maxRowBytes + 1)}\n`;
    expect(await fault('long.jsonl', tooLong)).toBe('long.jsonl, row 2: longer than 16 MB');
  });

  it('are rejected if there are none', async () => {
    for (const content of ['', '\n \n', '\ufeff'])
      expect(await fault('e.jsonl', content)).toBe('e.jsonl: contains no rows');
  });

  it('are rejected if their compressed data is damaged or truncated', async () => {
    const zipped = gzipSync(Buffer.from('{"text":"a"}\n'.repeat(1000)));
    expect(await fault('a.gz', zipped.subarray(0, -20))).toMatch('a.gz: its gzip data ends too early');
    const damaged = Buffer.from(zipped);
    damaged.fill(0xff, 12, 30);
    expect(await fault('a.gz', damaged)).toBe('a.gz: its gzip data is damaged');
  });

  it('give errors with separate file, row and reason', async () => {
    const error = await read('rows.jsonl', '{').catch(thrown => thrown);
    expect(error).toBeInstanceOf(DatasetError);
    expect(error).toMatchObject({ file: 'rows.jsonl', row: 1, reason: 'not valid JSON' });
  });
});

describe('a JSON list', () => {
  it('gives rows that know their position in it', async () => {
    const rows = [
      { text: 'a, ] } "quoted" \\' },
      { messages: [{ role: 'user', content: '[' }] },
      { text: '✓' },
    ];
    for (const indent of [0, 2]) {
      expect(await read('list.json', ` \n${JSON.stringify(rows, null, indent)}\n `)).toEqual(
        rows.map((row, index) => ({ row, file: 'list.json', number: index + 1 })),
      );
    }
  });

  it('reports errors by element', async () => {
    expect(await fault('list.json', '[{"text":"a"},]')).toBe('list.json, row 2: not valid JSON');
    expect(await fault('list.json', '[,{"text":"a"}]')).toBe('list.json, row 1: not valid JSON');
    expect(await fault('list.json', '[{"text":"a"}, 7]')).toBe('list.json, row 2: not a JSON object');
    expect(await fault('list.json', '[{"text":"a"]}]')).toMatch(/^list.json, row 1: not valid JSON/);
  });

  it('is rejected if it is truncated, has trailing content, or is empty', async () => {
    expect(await fault('list.json', '[{"text":"a"},{"te')).toBe(
      'list.json, row 2: the file ends in the middle of its list',
    );
    expect(await fault('list.json', '[{"text":"a"}] {"text":"b"}')).toBe(
      'list.json: has content after the end of its list',
    );
    expect(await fault('list.json', ' [ ] ')).toBe('list.json: contains no rows');
  });
});
