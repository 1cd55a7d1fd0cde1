// Reads lines typed at the terminal, with shell-like editing. Nothing is echoed while an answer streams; what is typed
// meanwhile becomes the next line.
import { createInterface } from 'node:readline';
import type { Io } from '../../command.js';
import { toWritable } from '../terminal/to-writable.js';

export interface TypedLines {
  /** The next line; null once the terminal is closed, for example by Ctrl-D. */
  next(): Promise<string | null>;
  /** Turns echo off while an answer streams. */
  mute(isMuted: boolean): void;
  /** Discards what was typed, prints a note and prompts again. */
  restart(note: string): void;
  close(): void;
}

export function readTypedLines(
  { stdin, stdout }: Io,
  { prompt, onInterrupt }: { prompt: string; onInterrupt: () => void },
): TypedLines {
  let isMuted = false;
  let isClosed = false;
  const lines: string[] = [];
  let wake: () => void = () => {};
  const output = toWritable(stdout, () => isMuted);
  const reader = createInterface({ input: stdin!, output, terminal: true, prompt });
  reader.on('SIGINT', onInterrupt);
  reader.on('line', line => {
    lines.push(line);
    wake();
  });
  reader.on('close', () => {
    isClosed = true;
    wake();
  });
  return {
    async next() {
      if (lines.length === 0 && !isClosed) {
        reader.prompt();
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
      return lines.shift() ?? null;
    },
    mute(muted) {
      isMuted = muted;
    },
    restart(note) {
      reader.write(null, { ctrl: true, name: 'e' });
      reader.write(null, { ctrl: true, name: 'u' });
      output.write(`\n${note}`);
      reader.prompt();
    },
    close() {
      lines.length = 0;
      reader.close();
    },
  };
}
