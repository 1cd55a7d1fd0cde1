// The processes that a process has started, as Linux tells them.
import { readdirSync, readFileSync } from 'node:fs';

export const tellsChildren = process.platform === 'linux';

/** The ids of this process's children whose command line holds the text, the newest last. */
export function findChildren(text: string): number[] {
  return childrenOf(process.pid).filter(pid => read(`${pid}/cmdline`).includes(text));
}

function childrenOf(pid: number): number[] {
  const lists = list(`${pid}/task`).map(thread => read(`${pid}/task/${thread}/children`));
  return lists.join(' ').split(/\s+/).filter(Boolean).map(Number);
}

function withDescendants(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(withDescendants)];
}

/** Of the time since it was last asked. */
const AT_WORK = 0.5;
/** Whoever asks sooner is told the same again. */
const LEAST_MS = 500;

/**
 * Tells whether a process and those that it has started, and those that they have, computed or waited for their turn to
 * for most of the time since it was last asked, or wait for a disk: they are silent, and not idle.
 */
export function createWorkMeter(pid = process.pid) {
  let askedAt = performance.now();
  let busyNs = busyOf(pid);
  let isAtWork = false;
  return {
    isAtWork(): boolean {
      const at = performance.now();
      if (at - askedAt < LEAST_MS) return isAtWork;
      const now = busyOf(pid);
      let sumNs = 0;
      for (const [thread, ns] of now) sumNs += ns - (busyNs.get(thread) ?? 0);
      isAtWork = sumNs / 1e6 >= AT_WORK * (at - askedAt) || withDescendants(pid).some(waitsForDisk);
      askedAt = at;
      busyNs = now;
      return isAtWork;
    },
  };
}

/** By thread. */
function busyOf(pid: number): Map<string, number> {
  const busyNs = new Map<string, number>();
  for (const one of withDescendants(pid))
    for (const thread of list(`${one}/task`)) {
      const [computedNs = 0, waitedNs = 0] = read(`${one}/task/${thread}/schedstat`).split(' ').map(Number);
      busyNs.set(thread, computedNs + waitedNs);
    }
  return busyNs;
}

function waitsForDisk(pid: number): boolean {
  return list(`${pid}/task`).some(thread => {
    const stat = read(`${pid}/task/${thread}/stat`);
    // The state comes after the name, which may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 1).startsWith(' D ');
  });
}

// At once, not in turn with what else is read: on a busy machine each turn takes its time. What has ended has nothing.

function list(path: string): string[] {
  try {
    return readdirSync(`/proc/${path}`);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
