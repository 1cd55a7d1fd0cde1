// Processes that read files: started when there is work, and ended after a while without any.
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
  /** Ends it; undefined while it works. */
  idle: NodeJS.Timeout | undefined;
}

export function createProcessPool(start: () => ReaderProcess, idleMs: number): ProcessPool {
  let members: Member[] = [];
  let isClosed = false;

  function end(member: Member): void {
    members = members.filter(other => other !== member);
    clearTimeout(member.idle);
    member.process.close();
  }

  return {
    acquire(use) {
      if (isClosed) throw closed();
      members = members.filter(({ process }) => !process.isOver);
      const free = members.filter(({ idle }) => idle !== undefined);
      const found = free.find(member => member.use === use) ?? free[0];
      if (!found) {
        members.push({ process: start(), use, idle: undefined });
        return members.at(-1)!.process;
      }
      clearTimeout(found.idle);
      Object.assign(found, { use, idle: undefined });
      return found.process;
    },
    release(process) {
      const member = members.find(other => other.process === process);
      if (member) member.idle = setTimeout(() => end(member), idleMs).unref();
    },
    close() {
      isClosed = true;
      for (const member of members) end(member);
    },
  };
}
