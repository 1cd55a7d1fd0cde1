import { readFileSync } from 'node:fs';

/** What Linux says of a process: its state and what follows it. Null for no process, and on other systems. */
export function readProcessFields(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // They follow the process's name, which is in parentheses and may contain anything.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
