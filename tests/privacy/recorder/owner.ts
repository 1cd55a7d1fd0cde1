// Finds the process that has a socket open.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LONGEST = 200;

/** Its command line. */
export function findOwner(inode: string): string {
  const target = `socket:[${inode}]`;
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name)))
    if (holds(pid, target)) return describe(pid);
  return 'a process that has ended';
}

function holds(pid: string, target: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return unlessGone(() => readdirSync(folder), []).some(
    fd => unlessGone(() => readlinkSync(`${folder}/${fd}`), '') === target,
  );
}

function describe(pid: string): string {
  const words = unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').split('\0');
  return words.join(' ').trim().slice(0, LONGEST) || `process ${pid}`;
}

/** Processes can end at any moment, and their files with them. */
function unlessGone<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
