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

/** `/proc` counts in hundredths of a second. */
const TICK_MS = 10;

/** How long each process that this one has started, and each that those have, has computed so far, by its id. */
export async function readWork(
  of = process.pid,
  work = new Map<number, number>(),
): Promise<Map<number, number>> {
  if (!tellsChildren) return work;
  for (const pid of await childrenOf(of).catch(() => [])) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // After the name, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (stat) work.set(pid, (Number(fields[11]) + Number(fields[12])) * TICK_MS);
    await readWork(pid, work);
  }
  return work;
}
