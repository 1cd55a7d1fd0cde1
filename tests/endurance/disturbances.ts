// What goes wrong on a machine without anybody being killed: another program that locks the database, a disk that is full.
import { type ChildProcess, spawn } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Disturbance {
  /** Ends it, and undoes what it does. */
  end(): Promise<void>;
}

const LOCKER = `
const Libsql = require(process.argv[1]);
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
(async () => {
  for (;;) {
    const database = new Libsql(process.argv[2]);
    try {
      database.exec('PRAGMA busy_timeout = 1000');
      database.exec('BEGIN IMMEDIATE');
      // From 5 ms to 7 s, short ones most often.
      await wait(5 * 1400 ** Math.random());
      database.exec('COMMIT');
    } catch {}
    database.close();
    await wait(10 + 400 * Math.random());
  }
})();`;

/** A process that takes the database's write lock again and again, for 5 ms to 7 s. */
export function lockDatabase(file: string): Disturbance {
  const libsql = createRequire(import.meta.url).resolve('libsql');
  const child: ChildProcess = spawn(process.execPath, ['-e', LOCKER, libsql, file], { stdio: 'ignore' });
  return { end: async () => void child.kill('SIGKILL') };
}

const BLOCK = Buffer.alloc(1 << 20);

/** Fills the disk that the folder is on to its last byte, again and again, and frees it. */
export function fillDisk(folder: string): Disturbance {
  const file = join(folder, 'ballast');
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      await fill(file);
      await sleep(200 + 4000 * Math.random());
      await rm(file, { force: true });
      await sleep(500 + 2500 * Math.random());
    }
  })();
  return {
    async end() {
      isOver = true;
      await running;
    },
  };
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    for (let block = BLOCK; block.length >= 512; )
      await handle.appendFile(block).catch(() => {
        block = block.subarray(0, block.length / 2);
      });
  } finally {
    await handle.close();
  }
}
