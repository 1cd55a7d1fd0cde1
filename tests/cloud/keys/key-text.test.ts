import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { generateKey, parseKey } from '../../../lib/cloud/keys/key-text.js';

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
    const { plaintext } = generateKey();
    const value = [...plaintext.slice(39)].reduce((sum, c) => sum * 62 + ALPHABET.indexOf(c), 0);
    expect(value).toBe(crc32(plaintext.slice(9, 39)));
  });

  it.each([9, 20, 38, 39, 44])('is refused when character %i is wrong', index => {
    const { plaintext } = generateKey();
    const other = plaintext[index] === 'a' ? 'b' : 'a';
    expect(parseKey(plaintext.slice(0, index) + other + plaintext.slice(index + 1))).toBeNull();
  });

  it.each(['', 'svc_live_', 'sk-abc', ` ${generateKey().plaintext}`, `${generateKey().plaintext}\n`])(
    'is not %j',
    text => expect(parseKey(text)).toBeNull(),
  );
});
