// Makes the processes that read files spin, as the worst file does: where a file holds `SPINS`, until they are killed.
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.js';

/** A row that is never read to its end. */
export const SPINS = '{"text":"spin forever"}\n';

interface Spinning {
  /** For the environment of the cloud, or of this process. */
  env: { SVC_TEST_SPINS: string; NODE_OPTIONS: string };
  /** The IDs of all processes that have begun to spin. */
  pids(): Promise<number[]>;
  /** Waits until so many have. */
  until(count: number): Promise<void>;
  remove(): void;
}

export function prepareSpinning(): Spinning {
  const folder = mkdtempSync(join(tmpdir(), 'svc-spins-'));
  const hook = new URL('spin-in-file-worker.mjs', import.meta.url);
  const pids = async () => (await readdir(folder)).map(Number);
  return {
    env: { SVC_TEST_SPINS: folder, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${hook}` },
    pids,
    until: count => until(async () => (await pids()).length).toBe(count),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
