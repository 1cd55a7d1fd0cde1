// Whether a process is alive. Zombies do not count: in many containers PID 1 never reaps them.
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
 * The fields follow the process name, which is in parentheses and may contain anything. While a zombie has more than
 * one thread, the others still hold its files and ports.
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
