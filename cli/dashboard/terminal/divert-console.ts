// Sends what libraries write to the console to the log file, since it would garble the screen.
import { Console } from 'node:console';
import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';

/** Returns a function that undoes it. */
export function divertConsole(logFile: string | null): () => void {
  const before = globalThis.console;
  const stream = logFile === null ? createSink() : createWriteStream(logFile, { flags: 'a' });
  // A log that cannot be written must not end the dashboard.
  stream.on('error', () => {});
  globalThis.console = new Console(stream);
  return () => {
    globalThis.console = before;
    stream.end();
  };
}

function createSink(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
