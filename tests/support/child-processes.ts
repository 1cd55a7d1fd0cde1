// The processes that a process has started, as Linux tells them.
import { readdir, readFile } from 'node:fs/promises';

export const tellsChildren = process.platform === 'linux';

/** The ids of this process's children whose command line holds the text, the newest last. */
export async function findChildren(text: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of await childrenOf(process.pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(text)) found.push(pid);
  }
  return found;
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    threads.map(thread => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return lists.join(' ').split(/\s+/).filter(Boolean).map(Number);
}

/** Whether a thread of a process that this one has started, or that those have, computes, waits for its turn to, or for a disk. */
export async function areChildrenAtWork(of = process.pid): Promise<boolean> {
  if (!tellsChildren) return false;
  for (const pid of await childrenOf(of).catch(() => []))
    if ((await isAtWork(pid)) || (await areChildrenAtWork(pid))) return true;
  return false;
}

/** As a share of the time. */
const HELD_UP = 0.5;
const LEAST_MS = 500;
let held = { at: performance.now(), delayMs: 0, isHeldUp: false };

/** Whether this process, since it was last asked, waited for its turn to compute for most of the time. */
export async function isHeldUp(): Promise<boolean> {
  const at = performance.now();
  if (at - held.at < LEAST_MS) return held.isHeldUp;
  const schedule = await readFile('/proc/self/schedstat', 'utf8').catch(() => '0 0 0');
  const delayMs = Number(schedule.split(' ')[1]) / 1e6;
  held = { at, delayMs, isHeldUp: delayMs - held.delayMs >= HELD_UP * (at - held.at) };
  return held.isHeldUp;
}

async function isAtWork(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const stats = await Promise.all(
    threads.map(thread => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => '')),
  );
  // The state comes after the name, which may hold anything.
  return stats.some(stat => /^ [RD] /.test(stat.slice(stat.lastIndexOf(')') + 1)));
}
