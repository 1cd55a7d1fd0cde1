// Another process that locks a database for writing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ForeignWriter {
  stop(): Promise<void>;
}

/** Takes the lock with an ordinary transaction, sleeps while holding it, and lets go. */
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
    // As long again for others, who look whether it is free.
    sleep(Number(holdMs));
  }
`;

/** Resolves once the process holds the lock. It takes the lock `times` times in all. */
export async function lockForeign(file: string, holdMs: number, times = 1): Promise<ForeignWriter> {
  const args = ['-e', PROGRAM, file, String(holdMs), String(times)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
