import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTokenCache, type EncodedExample } from '../../../lib/engine/train/token-cache.js';
import { createRandom } from '../../support/random.js';
import { temporaryFolder } from './data/dataset-files.js';

function coded(length: number, seed: number): EncodedExample {
  const { next } = createRandom(seed);
  return {
    ids: Int32Array.from({ length }, () => Math.floor(next() * 150_000)),
    supervised: Uint8Array.from({ length }, () => (next() < 0.5 ? 1 : 0)),
    length: length + (seed % 3),
  };
}

/** As bytes: vitest would compare half a million numbers one after the other. */
const toBytes = (row: EncodedExample | null) =>
  row && [
    Buffer.from(row.ids.buffer).toString('latin1'),
    Buffer.from(row.supervised).toString('latin1'),
    row.length,
  ];

describe('the token cache', () => {
  it('returns rows in any order, from memory and from disk', () => {
    const folder = temporaryFolder();
    const rows = Array.from({ length: 600 }, (_, i) => coded(i % 7 === 0 ? 5000 : 1 + i, i));
    const cache = createTokenCache(rows.length + 1, folder);
    for (const [i, row] of rows.entries()) cache.put(rows.length - 1 - i, row);
    for (const [i, row] of rows.entries())
      expect(toBytes(cache.get(rows.length - 1 - i))).toEqual(toBytes(row));
    expect(cache.get(rows.length)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
    cache.close();
  });

  it('handles skipped rows and runs of any length', () => {
    const cache = createTokenCache(4, 'unused');
    const rows = [[], [0, 0, 0], [1, 1, 1], [1, 0, 1]].map(flags => ({
      ids: Int32Array.from(flags, (_, at) => at + 1),
      supervised: Uint8Array.from(flags),
      length: 3,
    }));
    for (const [i, row] of rows.entries()) cache.put(i, row);
    expect(rows.map((_, i) => cache.get(i))).toEqual(rows);
    cache.close();
  });

  it('keeps what a teacher expected', () => {
    const cache = createTokenCache(2, 'unused');
    const soft = {
      first: 1,
      ends: Int32Array.of(2, 3),
      ids: Int32Array.of(4, 70_000, 5),
      shares: Float32Array.of(0.5, 1e-4, 1),
    };
    const rows = [
      { ids: Int32Array.of(3, 4, 5, 6), supervised: Uint8Array.of(0, 1, 1, 1), length: 4, soft },
      { ids: Int32Array.of(3, 4), supervised: Uint8Array.of(0, 1), length: 4 },
    ];
    for (const [i, row] of rows.entries()) cache.put(i, row);
    expect(rows.map((_, i) => cache.get(i))).toEqual(rows);
    cache.close();
  });

  it('keeps what it has when the disk is full', () => {
    const cache = createTokenCache(300, join('/dev/null', 'no-folder'));
    const row = coded(5000, 1);
    for (let i = 0; i < 300; i++) cache.put(i, row);
    const kept = Array.from({ length: 300 }, (_, i) => cache.get(i)).filter(found => found !== null);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThan(300);
    for (const found of kept) expect(toBytes(found)).toEqual(toBytes(row));
    cache.close();
  });
});
