// Draws on a terminal that knows only what was written last, and what is typed there.
import { EventEmitter } from 'node:events';
import { render as renderByInk } from 'ink';
import type { ReactElement } from 'react';
import { onTestFinished } from 'vitest';
import { CLEAR } from '../../../cli/dashboard/terminal/full-screen.js';

class Output extends EventEmitter {
  columns = 100;
  rows: number | undefined;
  /** What was written last. */
  last = '';
  /** The same, but for the clearing of the screen before it is drawn anew. */
  frame = '';

  write = (text: string): void => {
    this.last = text;
    if (text !== CLEAR) this.frame = text;
  };
}

class Input extends EventEmitter {
  readonly isTTY = true;
  #typed: string | null = null;

  type(bytes: string): void {
    this.#typed = bytes;
    this.emit('readable');
    this.emit('data', bytes);
  }

  read(): string | null {
    const typed = this.#typed;
    this.#typed = null;
    return typed;
  }

  setEncoding(): void {}
  setRawMode(): void {}
  ref(): void {}
  unref(): void {}
}

/** Until the test ends, or what is drawn is taken away. */
export function render(tree: ReactElement) {
  const [output, input] = [new Output(), new Input()];
  const { unmount, cleanup } = renderByInk(tree, {
    stdout: output as unknown as NodeJS.WriteStream,
    stdin: input as unknown as NodeJS.ReadStream,
    // Writes every frame, whole.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  onTestFinished(() => {
    unmount();
    cleanup();
  });
  return { output, input, unmount };
}
