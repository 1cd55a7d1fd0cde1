import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { generateKey, keyInput, parseKey, parseRequest } from '../../lib/contract/index.js';
import { checksum } from '../../lib/contract/key-format.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('the plaintext of a key', () => {
  it('is the mark, 30 base62 characters and 6 of checksum, and its prefix is its first 12', () => {
    const { plaintext, prefix } = generateKey();
    expect(plaintext).toMatch(/^svc_live_[0-9A-Za-z]{36}$/);
    expect(prefix).toBe(plaintext.slice(0, 12));
    expect(parseKey(plaintext)).toEqual({ plaintext, prefix });
  });

  it('is never the same twice and uses the whole alphabet evenly', () => {
    const keys = Array.from({ length: 2000 }, () => generateKey().plaintext);
    expect(new Set(keys).size).toBe(keys.length);
    const counts = new Map([...ALPHABET].map(character => [character, 0]));
    for (const key of keys) for (const c of key.slice(9, 39)) counts.set(c, counts.get(c)! + 1);
    const expected = (keys.length * 30) / ALPHABET.length;
    // Six standard deviations: a modulo bias of the first eight characters would be twenty.
    for (const count of counts.values())
      expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
  });

  it('ends with the CRC-32 of the secret in base62', () => {
    const secret = 'Zz9'.repeat(10);
    const value = [...checksum(secret)].reduce((sum, c) => sum * 62 + ALPHABET.indexOf(c), 0);
    expect(value).toBe(crc32(secret));
  });

  it('is refused when one character is wrong', () => {
    const { plaintext } = generateKey();
    for (const i of [9, 20, 38, 39, 44]) {
      const other = plaintext[i] === 'a' ? 'b' : 'a';
      expect(parseKey(plaintext.slice(0, i) + other + plaintext.slice(i + 1))).toBeNull();
    }
  });

  it.each(['', 'svc_live_', 'sk-abc', ` ${generateKey().plaintext}`, `${generateKey().plaintext}\n`])(
    'is not %j',
    text => {
      expect(parseKey(text)).toBeNull();
    },
  );
});

describe("a key's label", () => {
  it('is trimmed, and has 1 to 80 characters after that', () => {
    expect(parseRequest(keyInput, { label: '  ci  ' })).toEqual({ label: 'ci' });
    expect(parseRequest(keyInput, { label: 'x'.repeat(80) }).label).toHaveLength(80);
  });

  it('is counted in characters, whatever they take in UTF-16', () => {
    expect(parseRequest(keyInput, { label: '🚀'.repeat(80) }).label).toBe('🚀'.repeat(80));
    expect(() => parseRequest(keyInput, { label: '🚀'.repeat(81) })).toThrow(
      '`label` must have at most 80 characters.',
    );
  });

  it.each([
    {},
    { label: '' },
    { label: '   ' },
    { label: 'x'.repeat(81) },
    { label: 7 },
    { label: 'a\u001bb' },
  ])('is refused: %j', body => {
    expect(() => parseRequest(keyInput, body)).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'label' }),
    );
  });
});
