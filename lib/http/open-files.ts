// How many files, connections among them, the system lets this process open at once.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

let limit: Promise<number> | undefined;

/** A shell has the limit of its parent. Infinity where there is none, as on Windows. */
export function openFileLimit(): Promise<number> {
  limit ??= promisify(execFile)('sh', ['-c', 'ulimit -n']).then(
    ({ stdout }) => Number.parseInt(stdout, 10) || Number.POSITIVE_INFINITY,
    () => Number.POSITIVE_INFINITY,
  );
  return limit;
}
