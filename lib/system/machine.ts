import { readFileSync, statfsSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform } from 'node:os';

/** What results and speeds depend on of the machine, besides its GPU. */
export function readMachine() {
  return {
    platform: platform(),
    arch: arch(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
  };
}

/**
 * How much room the disk of an existing folder has. Null if the file system does not report it. Some file systems reserve
 * the last blocks for the administrator.
 */
export function freeBytes(folder: string): number | null {
  const { blocks, bsize, bavail, bfree } = statfsSync(folder);
  if (blocks === 0) return null;
  return (process.getuid?.() === 0 ? bfree : bavail) * bsize;
}

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
