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

describe('a JSON body', () => {
  const read = (body: string) =>
    readJson(
      new Request('http://x', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    );

  it('is refused for too many values before it is parsed', async () => {
    const unparsable = `${list(JSON_LIMITS.values + 1, '0')}]]`;
    await expect(read(unparsable)).rejects.toMatchObject({ status: 413, code: 'body_too_large' });
    await expect(read(fields(300_000))).rejects.toMatchObject({ status: 413, code: 'body_too_large' });
    await expect(read(list(1000, '0'))).resolves.toHaveLength(1000);
  });
});

describe('JSON that arrives in pieces', () => {
  it.each([
    [
      'values',
      list(JSON_LIMITS.values - 1, '0'),
      list(JSON_LIMITS.values + 1, '0'),
      ['body_too_large', 'The body has more than 200,000 values.'],
    ],
    [
      'field names',
      fields(JSON_LIMITS.names / 2),
      fields(JSON_LIMITS.names * 2),
      ['body_too_large', 'The body has more than 10,000 different field names.'],
    ],
    [
      'levels',
      `${'[0,'.repeat(JSON_LIMITS.depth)}0${']'.repeat(JSON_LIMITS.depth)}`,
      '[0,'.repeat(JSON_LIMITS.depth + 1),
      ['invalid_value', 'The body is nested deeper than 100 levels.'],
    ],
  ])('has a limit on its %s', (_, allowed, refused, [code, message]) => {
    expect(measure(allowed)).toBeNull();
    expect(measure(refused)).toMatchObject({ code, message });
  });

  it('may have any number of field names that differ only after their first KiB, wherever pieces cut them', () => {
    const start = 'x'.repeat(1024);
    const names = Array.from({ length: JSON_LIMITS.names * 1.2 }, (_, i) => `"${start}${i}":0`);
    expect(measure(`{${names.join(',')}}`, 1000)).toBeNull();
  });

  it('may repeat field names any number of times', () => {
    expect(measure(list(50_000, '{"role":"user","content":"a"}'))).toBeNull();
  });

  it.each([1, 2, 3, 64, 1000, 65_536])(
    'may contain any characters in strings, in pieces of %i bytes',
    length => {
      for (let shift = 0; shift < 9; shift++) {
        const long = 'x'.repeat(shift) + '[{,:"\\'.repeat(JSON_LIMITS.values / 4);
        const text = JSON.stringify({ a: long, 'b"[\\': '\\\\"' });
        expect(measure(text, length)).toBeNull();
        expect(measure(`[${text},${'['.repeat(JSON_LIMITS.depth)}`, length)).toMatchObject({
          code: 'invalid_value',
        });
      }
    },
  );
});
