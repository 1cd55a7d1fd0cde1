// Another process that locks a database for writing, with a connection of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ForeignWriter {
  /** Resolves once it has let go for good. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** A lock is held with the same means as everywhere; the thread sleeps meanwhile. */
const PROGRAM = `
  const [file, holdMs, times] = process.argv.slice(1);
  const database = new (require('libsql'))(file);
  const sleep = ms => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  database.exec('PRAGMA busy_timeout = 60000');
  for (let i = 0; i < Number(times); i++) {
    database.exec('BEGIN IMMEDIATE');
    if (i === 0) console.log('locked');
    sleep(Number(holdMs));
    database.exec('COMMIT');
  }
`;

/** Resolves once it holds the lock. It takes it again and again, so many times in all. */
export async function lockForeign(file: string, holdMs: number, times = 1): Promise<ForeignWriter> {
  const args = ['-e', PROGRAM, file, String(holdMs), String(times)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(() => {});
  await once(child.stdout, 'data');
  return {
    ended,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
