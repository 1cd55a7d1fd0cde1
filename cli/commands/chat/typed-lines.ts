// What is typed at the terminal, line by line, with the editing that a shell has. Nothing is echoed while the other
// side speaks; what was typed meanwhile is the next line.
import { createInterface } from 'node:readline';
import type { Io } from '../../command.js';
import { toWritable } from '../terminal/to-writable.js';

export interface TypedLines {
  /** The next line; null when the terminal was closed, by Ctrl-D say. */
  next(): Promise<string | null>;
  /** Whether the other side speaks. */
  mute(isMuted: boolean): void;
  /** Asks again without what was typed so far, below a note. */
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
