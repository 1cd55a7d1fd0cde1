// How long `svc --help` takes from dist, next to a Node that does nothing: the floor that no program gets below.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../support/repository-root.js';
import type { Row } from './table.js';

export const name = 'start of a process, 10 runs each (milliseconds)';

const runs = 10;

export async function run(): Promise<Row[]> {
  const bin = join(repositoryRoot, 'dist', 'cli', 'bin.js');
  return [measure('node -e 0', ['-e', '0']), measure('svc --help', [bin, '--help'])];
}

function measure(what: string, args: string[]): Row {
  const start = () => execFileSync(process.execPath, args);
  start();
  const times = Array.from({ length: runs }, () => {
    const began = performance.now();
    start();
    return performance.now() - began;
  }).sort((a, b) => a - b);
  return { what, median: (times[4]! + times[5]!) / 2, min: times[0]!, max: times[runs - 1]! };
}
