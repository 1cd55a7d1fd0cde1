// Another process that locks a database for writing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ForeignWriter {
  /** Resolves once the process has exited. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Takes the lock with an ordinary transaction and sleeps while holding it. */
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

/** Resolves once the process holds the lock. It takes the lock `times` times in all. */
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
