// Processes that read files: started when there is work, and ended after a while without any.
import type { Clock, Timer } from '../../clock/index.js';
import { closed, type ReaderProcess } from './reader-process.js';

interface ProcessPool {
  /** One that is free, preferably the last one of this use: it still has open what it read. Starts none once closed. */
  acquire(use: string): ReaderProcess;
  release(process: ReaderProcess): void;
  close(): void;
}

interface Member {
  process: ReaderProcess;
  use: string;
  /** Ends it; null while it works. */
  idle: Timer | null;
}

/** How long a process stays alive without work. */
const IDLE_MS = 10_000;

export function createProcessPool(start: () => ReaderProcess, clock: Clock): ProcessPool {
  let members: Member[] = [];
  let isClosed = false;

  function end(member: Member): void {
    members = members.filter(other => other !== member);
    member.idle?.stop();
    member.process.close();
  }

  return {
    acquire(use) {
      if (isClosed) throw closed();
      members = members.filter(({ process }) => !process.isOver);
      const free = members.filter(({ idle }) => idle !== null);
      const found = free.find(member => member.use === use) ?? free[0];
      if (!found) {
        members.push({ process: start(), use, idle: null });
        return members.at(-1)!.process;
      }
      found.idle?.stop();
      Object.assign(found, { use, idle: null });
      return found.process;
    },
    release(process) {
      const member = members.find(other => other.process === process);
      if (member) member.idle = clock.after(IDLE_MS, () => end(member));
    },
    close() {
      isClosed = true;
      for (const member of members) end(member);
    },
  };
}
