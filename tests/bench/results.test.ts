import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepResult } from './results.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-results-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('keeps the last result of each benchmark, sorted', async () => {
  const path = join(folder, 'bench', 'results.json');
  const result = (benchmark: string, ms: number) => ({
    benchmark,
    title: benchmark,
    machine: '2 cores',
    at: '2026-01-01T00:00:00.000Z',
    rows: [{ ms }],
  });
  await keepResult(path, result('engine', 1));
  await keepResult(path, result('cloud', 2));
  await keepResult(path, result('engine', 3));
  const kept = JSON.parse(await readFile(path, 'utf8')) as { benchmark: string; rows: { ms: number }[] }[];
  expect(kept.map(({ benchmark, rows }) => [benchmark, rows[0]!.ms])).toEqual([
    ['cloud', 2],
    ['engine', 3],
  ]);
});
