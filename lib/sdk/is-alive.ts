// Whether a process is there. One that has ended and waits for its parent to take notice, as happens for good under the
// first process of many containers, is not.
import { readFileSync } from 'node:fs';

const STATE = 0;
const THREADS = 17;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

/**
 * The fields stand behind its name, which may hold anything, in brackets: its state first, and later how many threads it
 * has. While there is more than one, others still hold its files and ports.
 */
function isZombie(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return /^[ZX]$/.test(fields[STATE]!) && Number(fields[THREADS]) <= 1;
  } catch {
    return false;
  }
}
