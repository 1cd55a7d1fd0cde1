// Whose a socket is: the process that has it open, by its command line.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LONGEST = 200;

export function findOwner(inode: string): string {
  const target = `socket:[${inode}]`;
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name)))
    if (holds(pid, target)) return describe(pid);
  return 'a process that is gone';
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

/** Processes and their files come and go while one looks. */
function unlessGone<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
