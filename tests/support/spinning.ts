// Makes the processes that a cloud starts spin, as the worst input does, until they are killed: those that read files where
// a file holds `SPINS`, and those that train and answer at once.
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
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
  /** Node's processes that run in this environment, as Linux tells them. */
  processes(): Promise<number[]>;
  remove(): void;
}

export function prepareSpinning(): Spinning {
  const folder = mkdtempSync(join(tmpdir(), 'svc-spins-'));
  const hook = new URL('spin.mjs', import.meta.url);
  const pids = async () => (await readdir(folder)).map(Number);
  return {
    env: { SVC_TEST_SPINS: folder, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${hook}` },
    pids,
    until: count => until(async () => (await pids()).length, { progress: pids }).toBe(count),
    async processes() {
      const all = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number);
      const read = (pid: number, what: string) => readFile(`/proc/${pid}/${what}`, 'utf8').catch(() => '');
      const isOurs = async (pid: number) =>
        (await read(pid, 'cmdline')).startsWith(`${process.execPath}\0`) &&
        (await read(pid, 'environ')).includes(`SVC_TEST_SPINS=${folder}\0`);
      const ours = await Promise.all(all.map(isOurs));
      return all.filter((_, i) => ours[i]);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
