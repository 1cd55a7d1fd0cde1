import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../lib/contract/index.js';
import { readJson } from '../../lib/http/index.js';
import { createJsonGauge, JSON_LIMITS } from '../../lib/http/json-gauge.js';

/** The error for a text that arrives in pieces of this many bytes; null if it may be parsed. */
function measure(text: string, pieceLength = 7): ApiError | null {
  const gauge = createJsonGauge();
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += pieceLength) gauge.push(bytes.subarray(at, at + pieceLength));
    return null;
  } catch (error) {
    return error as ApiError;
  }
}

const list = (count: number, entry: string) => `[${Array.from({ length: count }, () => entry).join(',')}]`;
const fields = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`field ${i}`, i])));

it('a JSON body is refused for too many values before it is parsed', async () => {
  const headers = { 'content-type': 'application/json' };
  const read = (body: string) => readJson(new Request('http://x', { method: 'POST', headers, body }));
  const unparsable = `${list(JSON_LIMITS.values + 1, '0')}]]`;
  for (const body of [unparsable, fields(300_000)])
    await expect(read(body)).rejects.toMatchObject({ status: 413, code: 'body_too_large' });
  await expect(read(list(1000, '0'))).resolves.toHaveLength(1000);
});

describe('JSON that arrives in pieces', () => {
  const { values, names, depth } = JSON_LIMITS;
  const nested = `${'[0,'.repeat(depth)}0${']'.repeat(depth)}`;
  it.each([
    ['has more than 200,000 values', list(values - 1, '0'), list(values + 1, '0'), 'body_too_large'],
    ['has more than 10,000 different field names', fields(names / 2), fields(names * 2), 'body_too_large'],
    ['is nested deeper than 100 levels', nested, '[0,'.repeat(depth + 1), 'invalid_value'],
  ])('is refused if it %s', (what, allowed, refused, code) => {
    expect(measure(allowed)).toBeNull();
    expect(measure(refused)).toMatchObject({ code, message: `The body ${what}.` });
  });

  it('may have any number of field names that differ only after their first KiB', () => {
    const start = 'x'.repeat(1024);
    const long = Array.from({ length: names * 1.2 }, (_, i) => `"${start}${i}":0`);
    expect(measure(`{${long.join(',')}}`, 1000)).toBeNull();
  });

  it('may repeat field names any number of times', () =>
    expect(measure(list(50_000, '{"role":"user","content":"a"}'))).toBeNull());

  it.each([1, 2, 3, 64, 1000, 65_536])(
    'may contain any characters in strings, in pieces of %i bytes',
    length => {
      for (let shift = 0; shift < 9; shift++) {
        const long = 'x'.repeat(shift) + '[{,:"\\'.repeat(values / 4);
        const text = JSON.stringify({ a: long, 'b"[\\': '\\\\"' });
        expect(measure(text, length)).toBeNull();
        expect(measure(`[${text},${'['.repeat(depth)}`, length)).toMatchObject({ code: 'invalid_value' });
      }
    },
  );
});
