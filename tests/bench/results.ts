// What the benchmarks measured last, each with its machine and time, in one file that a plot can be made from.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Row } from './table.js';

export interface Result {
  benchmark: string;
  title: string;
  machine: string;
  at: string;
  rows: Row[];
}

/** Puts the result in the place of the last one of the same benchmark. */
export async function keepResult(path: string, result: Result): Promise<void> {
  const others = (await readResults(path)).filter(({ benchmark }) => benchmark !== result.benchmark);
  const results = [...others, result].sort((a, b) => (a.benchmark < b.benchmark ? -1 : 1));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(results, null, 2)}\n`);
}

async function readResults(path: string): Promise<Result[]> {
  const text = await readFile(path, 'utf8').catch(() => '[]');
  return JSON.parse(text) as Result[];
}
