// Forms are read as they arrive, however their bytes are cut into chunks.
import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../../lib/contract/index.js';
import { readMultipart } from '../../../lib/http/multipart.js';

const BOUNDARY = 'x-boundary';

async function* inChunks(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const ends = [...cuts, bytes.length];
  for (const [i, end] of ends.entries()) yield bytes.subarray(i === 0 ? 0 : ends[i - 1], end);
}

interface ReadPart {
  name: string;
  fileName: string | null;
  text: string;
}

async function read(body: string | Uint8Array, cuts: readonly number[] = [], boundary = BOUNDARY) {
  const parts: ReadPart[] = [];
  for await (const piece of readMultipart(inChunks(Buffer.from(body), cuts), boundary)) {
    if (piece.kind === 'part') parts.push({ ...piece.head, text: '' });
    else parts.at(-1)!.text += Buffer.from(piece.bytes).toString('latin1');
  }
  return parts;
}

const lines = (...text: string[]) => text.join('\r\n');
const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`;
const part = (text: string, ...head: string[]) => lines(`--${BOUNDARY}`, ...head, '', text);
const withHead = (...head: string[]) => lines(part('x', ...head), `--${BOUNDARY}--`);
const FILE = 'one\r\n--x-boundar\r\n\r--\n-\r\ntwo\r\n';
const GOOD = lines(
  part(FILE, disposition('name="file"; filename="a.jsonl"'), 'Content-Type: application/octet-stream'),
  part('', disposition('name="empty"')),
  part('fine-tune', disposition('name="purpose"')),
  `--${BOUNDARY}--`,
  '',
);
const PARTS: ReadPart[] = [
  { name: 'file', fileName: 'a.jsonl', text: FILE },
  { name: 'empty', fileName: null, text: '' },
  { name: 'purpose', fileName: null, text: 'fine-tune' },
];

describe('a form', () => {
  it('has the same parts wherever it is cut in two, and in chunks of every small size', async () => {
    for (let at = 0; at <= GOOD.length; at++) expect(await read(GOOD, [at]), `cut at ${at}`).toEqual(PARTS);
    for (let size = 1; size <= 24; size++) {
      const cuts = Array.from({ length: Math.floor(GOOD.length / size) }, (_, i) => (i + 1) * size);
      expect(await read(GOOD, cuts), `chunks of ${size}`).toEqual(PARTS);
    }
  });

  it('is read as Node writes it', async () => {
    const form = new FormData();
    const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7) % 256);
    form.append('file', new File([bytes], 'ü "x"\r\n%.jsonl'));
    form.append('a"b', 'ä');
    const response = new Response(form);
    const [, boundary] = /boundary=(.*)$/.exec(response.headers.get('content-type')!)!;
    const parts = await read(new Uint8Array(await response.arrayBuffer()), [100, 300, 4000], boundary);
    expect(parts).toEqual([
      { name: 'file', fileName: 'ü "x"\r\n%.jsonl', text: Buffer.from(bytes).toString('latin1') },
      { name: 'a"b', fileName: null, text: Buffer.from('ä').toString('latin1') },
    ]);
  });

  it('may have no part, and text after its end, which is ignored', async () => {
    expect(await read(`--${BOUNDARY}--`)).toEqual([]);
    expect(await read(`${GOOD}--${BOUNDARY}\r\nmore`)).toEqual(PARTS);
  });

  it('ends its source when its reader leaves', async () => {
    let isEnded = false;
    async function* source() {
      try {
        yield Buffer.from(GOOD);
        yield Buffer.from('more');
      } finally {
        isEnded = true;
      }
    }
    for await (const piece of readMultipart(source(), BOUNDARY)) if (piece.kind === 'bytes') break;
    expect(isEnded).toBe(true);
  });

  it('holds little of a large part', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let [given, taken, ahead] = [0, 0, 0];
    async function* source() {
      yield Buffer.from(`--${BOUNDARY}\r\n${disposition('name="file"')}\r\n\r\n`);
      for (let i = 0; i < 500; i++) {
        given += chunk.length;
        ahead = Math.max(ahead, given - taken);
        yield chunk;
      }
      yield Buffer.from(`\r\n--${BOUNDARY}--`);
    }
    for await (const piece of readMultipart(source(), BOUNDARY))
      if (piece.kind === 'bytes') taken += piece.bytes.length;
    expect(taken).toBe(500 * chunk.length);
    expect(ahead).toBeLessThan(2 * chunk.length);
  });
});

it.each([
  ['name=file', { name: 'file', fileName: null }],
  ['name="a\\"b\\\\"; filename="C:\\x.jsonl"', { name: 'a"b\\', fileName: 'C:\\x.jsonl' }],
  ['NAME="a" ;FileName=b.jsonl', { name: 'a', fileName: 'b.jsonl' }],
  ['name="a"; filename=""', { name: 'a', fileName: '' }],
  ['name="a"; filename*=utf-8\'\'%C3%BC.jsonl', { name: 'a', fileName: 'ü.jsonl' }],
  ['name="a%22%25"', { name: 'a"%25', fileName: null }],
])('the head of a part names the field and its file: %s', async (rest, head) => {
  const body = lines(`--${BOUNDARY}`, disposition(rest), 'X-Other: 1', '', 'x', `--${BOUNDARY}--`);
  expect(await read(body)).toEqual([{ ...head, text: 'x' }]);
});

it.each(['7bit', '8BIT', 'binary'])(
  'the head of a part may name an encoding that changes nothing: %s',
  async encoding => {
    const body = withHead(disposition('name="a"'), `Content-Transfer-Encoding: ${encoding}`);
    expect(await read(body)).toEqual([{ name: 'a', fileName: null, text: 'x' }]);
  },
);

describe('a malformed form', () => {
  const BASE64 = 'Content-Transfer-Encoding: base64';
  it.each([
    ['nothing', '', 'ends before its last boundary'],
    ['no form', '{"purpose":"fine-tune"}', 'does not start with its boundary'],
    ['another boundary', GOOD.replaceAll(BOUNDARY, 'y-boundary'), 'does not start with its boundary'],
    ['text before it', `x\r\n${GOOD}`, 'does not start with its boundary'],
    ['text after a boundary', GOOD.replace(BOUNDARY, `${BOUNDARY}x`), 'text after a boundary'],
    ['a head without end', `--${BOUNDARY}\r\n${'x'.repeat(20_000)}`, 'head of a part is too large'],
    ['a large head', withHead(`X-Y: ${'x'.repeat(17_000)}`), 'head of a part is too large'],
    ['a line without a name', withHead(disposition('name="a"'), 'nothing'), 'header without a name'],
    ['a folded header', withHead(disposition('name="a"'), ' more'), 'header without a name'],
    ['a header twice', withHead(disposition('name="a"'), disposition('name="b"')), 'two headers'],
    ['no disposition', withHead('Content-Type: text/plain'), 'no `Content-Disposition'],
    ['another disposition', withHead('Content-Disposition: attachment; name="a"'), 'no `Content-Disposition'],
    ['no name', withHead(disposition('filename="a"')), 'no `Content-Disposition'],
    ['an open quote', withHead(disposition('name="a')), 'invalid `Content-Disposition`'],
    ['a name twice', withHead(disposition('name="a"; name="b"')), 'invalid `Content-Disposition`'],
    ['a wrong name', withHead(disposition('name="a"; filename*=utf-8\'\'%ff')), 'not valid UTF-8'],
    ['another encoding', withHead(disposition('name="a"'), BASE64), 'encoded as base64'],
  ])('is refused: %s', async (_, body, reason) => {
    const error = (await read(body).catch(cause => cause)) as ApiError;
    expect([error.status, error.code]).toEqual([400, 'malformed_request']);
    expect(error.message).toContain(reason);
  });

  it('is refused wherever it is cut off', async () => {
    const end = GOOD.lastIndexOf('--') + 2;
    for (let at = 0; at < end; at++)
      await expect(read(GOOD.slice(0, at)), `cut at ${at}`).rejects.toThrow('ends before its last boundary');
    expect(await read(GOOD.slice(0, end))).toEqual(PARTS);
  });
});
