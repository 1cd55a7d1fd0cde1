import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { DatasetError } from '../../../../lib/engine/train/data/index.js';
import { toColumns } from '../../../../lib/engine/train/data/read-csv.js';
import { maxRowBytes } from '../../../../lib/engine/train/data/row-buffer.js';
import { faultOf, readAs, readText } from './dataset-files.js';

const fault = (content: string | Uint8Array, name = 'rows.jsonl') => faultOf(readText(name, content));

describe('JSON lines', () => {
  it('give rows that know their file and line, whatever ends them', async () => {
    const chat = { messages: [{ role: 'user', content: 'Grüße ✓' }], extra: [1, null] };
    const content = `\ufeff${JSON.stringify(chat)}\r\n\n{"prompt":"b","completion":"c"}`;
    expect(await readText('chat.ndjson', content)).toEqual([
      { row: chat, file: 'chat.ndjson', number: 1 },
      { row: { prompt: 'b', completion: 'c' }, file: 'chat.ndjson', number: 3 },
    ]);
  });

  it('may be compressed, whether the name shows it or not', async () => {
    for (const name of ['a.jsonl.gz', 'a.jsonl', 'a.gz'])
      expect(await readText(name, gzipSync('{"text":"a"}\n'))).toEqual([
        { row: { text: 'a' }, file: name, number: 1 },
      ]);
  });

  it('may be in a .json file, or in a file with any name', async () => {
    for (const name of ['a.json', 'a.txt', 'a'])
      expect(await readText(name, '{"text":"a"}\n{"text":"b"}\n')).toHaveLength(2);
  });

  it('are read as a stream', async () => {
    async function* endless() {
      for (;;) yield Buffer.from('{"text":"again"}\n{"text":"and');
    }
    const rows = readAs('json-lines', endless(), 'endless');
    expect((await rows.next()).value).toMatchObject({ row: { text: 'again' }, number: 1 });
    await expect(rows.next()).rejects.toThrow('endless, row 2: not valid JSON');
  });

  const latin1 = Buffer.from('{"text":"a"}\n{"text":"\xe9"}', 'latin1');
  const utf16 = Buffer.from('\ufeff{"text":"a"}', 'utf16le');
  const line = (length: number) => `{"text":"${'x'.repeat(length - '{"text":""}'.length)}"}`;

  it.each([
    ['no end', '{"text":"a"}\n\n{"text":', 'row 3: not valid JSON'],
    ['a text', '{"text":"a"}\n"text"\n', 'row 2: not a JSON object'],
    ['a list', '{"text":"a"}\n[]\n', 'row 2: not a JSON object'],
    [
      'unknown columns',
      '{"text":"a"}\n{"q":1,"prompt":"p"}',
      `row 2: needs the column messages, or prompt and completion, or conversations (ShareGPT), or instruction and output (Alpaca), or text, or chosen and rejected (preferences), or preferred_output and non_preferred_output (OpenAI's preferences); it has "q", "prompt"`,
    ],
    ['Latin-1', latin1, 'row 2: not valid UTF-8'],
    ['UTF-16', utf16, 'row 1: not valid UTF-8'],
    ['a byte more than 16 MB', `{"text":"a"}\n${line(maxRowBytes + 1)}\n`, 'row 2: longer than 16 MB'],
  ])('with %s are refused by their line', async (_, content, message) => {
    expect(await fault(content)).toBe(`rows.jsonl, ${message}`);
  });

  it('may be 16 MB long', async () => {
    expect(await readText('long.jsonl', `${line(maxRowBytes)}\n`)).toHaveLength(1);
  });

  it('are rejected if there are none', async () => {
    for (const content of ['', '\n \n', '\ufeff'])
      expect(await fault(content)).toBe('rows.jsonl: contains no rows');
  });

  it('are rejected if their compressed data is damaged or truncated', async () => {
    const zipped = gzipSync('{"text":"a"}\n'.repeat(1000));
    expect(await fault(zipped.subarray(0, -20), 'a.gz')).toMatch('a.gz: its gzip data ends too early');
    const damaged = Buffer.from(zipped).fill(0xff, 12, 30);
    expect(await fault(damaged, 'a.gz')).toBe('a.gz: its gzip data is damaged');
  });

  it('give errors with separate file, row and reason', async () => {
    const error = await readText('rows.jsonl', '{').catch(thrown => thrown);
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
    for (const indent of [0, 2])
      expect(await readText('list.json', ` \n${JSON.stringify(rows, null, indent)}\n `)).toEqual(
        rows.map((row, index) => ({ row, file: 'list.json', number: index + 1 })),
      );
  });

  it.each([
    ['[{"text":"a"},]', ', row 2: not valid JSON'],
    ['[,{"text":"a"}]', ', row 1: not valid JSON'],
    ['[{"text":"a"}, 7]', ', row 2: not a JSON object'],
    ['[{"text":"a"]}]', ', row 1: not valid JSON'],
    ['[{"text":"a"},{"te', ', row 2: the file ends in the middle of its list'],
    ['[{"text":"a"}] {"text":"b"}', ': has content after the end of its list'],
    [' [ ] ', ': contains no rows'],
  ])('is refused if it is %s', async (content, message) => {
    expect(await fault(content, 'list.json')).toContain(`list.json${message}`);
  });
});

describe('CSV', () => {
  const rows = async (content: string | Uint8Array, name = 'rows.csv') =>
    (await readText(name, content)).map(({ row }) => row);

  it('gives rows with the header’s names, numbered as in a spreadsheet', async () => {
    const read = await readText('rows.csv', 'prompt,completion\na,b\n\n c , d \n"e\nf",g\nh,i\n');
    expect(read.map(({ number, row }) => [number, row.prompt, row.completion])).toEqual([
      [2, 'a', 'b'],
      [4, ' c ', ' d '],
      [5, 'e\nf', 'g'],
      [6, 'h', 'i'],
    ]);
    expect(read[0]).toEqual({ row: { prompt: 'a', completion: 'b' }, file: 'rows.csv', number: 2 });
  });

  const messages = [{ role: 'user', content: 'say "hi"' }];
  const cell = `"${JSON.stringify(messages).replaceAll('"', '""')}"`;

  it.each<[string, string | Uint8Array, ...object[]]>([
    ['quoted separators and line ends', 'text\n"a, ""b""\r\nc"\n', { text: 'a, "b"\r\nc' }],
    ['empty and quoted cells', 'text,n\n"",2\n"""",3\n', { text: '', n: '2' }, { text: '"', n: '3' }],
    ['quotes in an unquoted cell', 'text\n5" disk\n', { text: '5" disk' }],
    ['short rows and unnamed columns', ',text,n\n0,a\n', { text: 'a' }],
    ['messages as JSON', `messages,tools\n${cell},\n`, { messages, tools: null }],
    ['tools as JSON', `messages,tools\n${cell},[]\n`, { messages, tools: [] }],
    ['compression', gzipSync('text\na\n'), { text: 'a' }],
  ])('may have %s', async (_, content, ...expected) => {
    expect(await rows(content)).toEqual(expected);
  });

  const toCell = (value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `"${text.replaceAll('"', '""')}"`;
  };

  it.each([
    '[{"id": 1}]',
    '[{"role": "user", "content": "a"}, {"id": 1}]',
    '[{"role": 1}]',
    '[{ ... }] is how lists look',
    '[{role: "user"}]',
    '{"messages": 3}',
    '{"messages": ["a"]}',
    '{"messages" is cut off',
    '[]',
  ])('has pairs whose texts are no lists of messages as they are, as in JSON lines: %s', async text => {
    const row = { prompt: text, chosen: text, rejected: 'no' };
    const [csv, tsv] = [',', '\t'].map(by => {
      const lines = [Object.keys(row), Object.values(row).map(toCell)].map(cells => cells.join(by));
      return lines.join('\n');
    });
    expect(await rows(csv!)).toEqual([row]);
    expect(await rows(tsv!, 'rows.tsv')).toEqual([row]);
  });

  it('has pairs with lists of messages as JSON, and objects with one', async () => {
    const answer = [{ role: 'assistant', content: 'yes' }];
    const pair = { prompt: messages, chosen: answer, rejected: 'no' };
    expect(await rows(`prompt,chosen,rejected\n${Object.values(pair).map(toCell)}\n`)).toEqual([pair]);
    // Refused where they are encoded, with what to write instead.
    const others = [{ from: 'gpt', value: 'yes' }];
    const shareGpt = { chosen: others, rejected: 'no' };
    expect(await rows(`chosen,rejected\n${Object.values(shareGpt).map(toCell)}\n`)).toEqual([shareGpt]);
    const input = { tools: [], messages };
    const openAi = { input, preferred_output: answer, non_preferred_output: answer };
    expect(await rows(`${Object.keys(openAi)}\n${Object.values(openAi).map(toCell)}\n`)).toEqual([openAi]);
  });

  it('may be separated by tabs', async () => {
    expect(await rows('text\tn\na,b\t"1\t2"\n', 'rows.tsv')).toEqual([{ text: 'a,b', n: '1\t2' }]);
  });

  it('accepts any line ends, a missing last one, a byte order mark, and names padded with spaces', async () => {
    const expected = ['a', 'b'].map((text, i) => ({ text, n: `${i + 1}` }));
    for (const end of ['\n', '\r\n', '\r'])
      expect(await rows(`\ufeff"text", n${end}a,1${end}b,2`)).toEqual(expected);
  });

  it('does not let a column reach the prototype', async () => {
    const [row] = await rows('text,__proto__\na,b\n');
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
    expect(JSON.stringify(row)).toBe('{"text":"a","__proto__":"b"}');
  });

  const names = Array.from({ length: 9999 }, (_, i) => `c${i}`);

  it.each([
    ['more cells than its header', 'text\na\nb,c\n', '3: it has 2 cells, but the header has 1'],
    ['a quote without an end', 'text\na\n"b\nc\n', '3: a quote is never closed'],
    ['text behind a quote', 'text\n"a"b\n', '2: text follows a closing quote.*'],
    ['a missing column', 'prompt,completion\na\n', '2: needs the column .* it has "prompt"'],
    ['another encoding', Buffer.from('text\na\n\xe9\n', 'latin1'), '3: not valid UTF-8'],
    ['a row without an end', `text\n"${'x'.repeat(maxRowBytes)},"\n`, '2: longer than 16 MB'],
    ['endless cells', `text\n${','.repeat(maxRowBytes + 1)}`, '2: it has more than 10000 columns'],
    ['endless columns', `text,${names},c9999\nx\n`, '1: it has more than 10000 columns'],
    ['a column twice', 'text,n,text\n', '1: its header has the column "text" twice'],
    ['a late one twice', `text,${names.with(-1, 'c7')}\nx\n`, '1: its header has the column "c7" twice'],
    ['no known column', 'what;why\na;b\n', '1: its header needs the column messages, .*; it has "what;why"'],
    ['a cell that is no JSON', 'messages\nhi\n', '2: its messages cell is not valid JSON'],
    [
      'a list of messages of Python',
      `chosen,rejected\n"[{'role': 'user', 'content': 'a'}]",b\n`,
      '2: its chosen cell is not valid JSON',
    ],
  ])('with %s is refused by its row', async (_, content, message) => {
    expect(await fault(content, 'rows.csv')).toMatch(new RegExp(`^rows.csv, row ${message}$`));
  });

  it('may have thousands of columns', async () => {
    expect(await rows(`text,${names}\nx\n`)).toEqual([{ text: 'x' }]);
  });

  it('looks for no name of its header among all others', () => {
    const cells = ['text', ...names.slice(0, 999)];
    const search = vi.spyOn(Array.prototype, 'indexOf');
    const columns = toColumns({ cells, row: 1, start: 0, end: 0 }, 'rows.csv');
    const searches = search.mock.calls.length;
    search.mockRestore();
    expect([columns, searches]).toEqual([cells, 0]);
  });

  it('is rejected if it has no rows', async () => {
    for (const content of ['', 'text\n', '\n\ntext\n\n'])
      expect(await fault(content, 'rows.csv')).toBe('rows.csv: contains no rows');
  });
});
