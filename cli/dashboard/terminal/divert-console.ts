// What libraries write to the console would stand across the screen: it goes to the log file instead.
import { Console } from 'node:console';
import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';

/** Returns how to undo it. */
export function divertConsole(logFile: string | null): () => void {
  const before = globalThis.console;
  const stream = logFile === null ? createSink() : createWriteStream(logFile, { flags: 'a' });
  // A log that cannot be written is no reason to end.
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
