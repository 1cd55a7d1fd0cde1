// A program in a pseudo-terminal, with somebody at the keys and an emulator for a screen.
import { type IPty, spawn } from '@lydell/node-pty';
import { inTime } from '../../support/in-time.js';
import { createEmulator, type Emulator, type Size } from './emulator.js';
import { clickOn, toBytes } from './keys.js';
import { type Watcher, watchText } from './wait-for-text.js';

export interface ScreenOptions {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  size?: Size;
}

export interface Screen
  extends Watcher,
    Pick<Emulator, 'lines' | 'text' | 'cells' | 'isTaken' | 'isCursorShown' | 'isMouseRead'> {
  readonly pid: number;
  readonly written: string;
  /** Keys by name, or text as it is. */
  press(...keys: string[]): void;
  /** On the first place of a text that is seen. */
  click(text: string): void;
  /** As another program writes on the same terminal. */
  scribble(output: string): void;
  resize(size: Size): void;
  kill(signal: NodeJS.Signals): void;
  /** Closes the terminal, as closing a window does. */
  close(): void;
  /** Its exit code, once the last of what it wrote can be seen. Waits as long as it writes something now and then. */
  readonly exited: Promise<number>;
}

const USUAL: Size = { columns: 80, rows: 24 };

export function openScreen({ file, args, cwd, env, size = USUAL }: ScreenOptions): Screen {
  const { columns: cols, rows } = size;
  const pty = spawn(file, [...args], { cwd, env, cols, rows, name: 'xterm-256color' });
  const emulator = createEmulator(size);
  pty.onData(emulator.write);
  emulator.onAnswer(answer => pty.write(answer));
  const exited = new Promise<number>(resolve => pty.onExit(({ exitCode }) => resolve(exitCode))).then(
    async exitCode => {
      await emulator.drawn();
      return exitCode;
    },
  );
  const { lines, text, cells } = emulator;
  return {
    ...watchText(text, emulator.onDrawn),
    lines,
    text,
    cells,
    pid: pty.pid,
    get exited() {
      return inTime(exited, {
        progress: () => `${emulator.written.length} characters written`,
        beside: text,
      });
    },
    press: (...keys) => keys.forEach(key => void pty.write(toBytes(key))),
    click: text => pty.write(clickOn(text, lines())),
    scribble: emulator.write,
    resize(next) {
      emulator.resize(next);
      pty.resize(next.columns, next.rows);
    },
    kill: signal => kill(pty, signal),
    close: () => (pty as IPty & { destroy(): void }).destroy(),
    get written() {
      return emulator.written;
    },
    get isTaken() {
      return emulator.isTaken;
    },
    get isCursorShown() {
      return emulator.isCursorShown;
    },
    get isMouseRead() {
      return emulator.isMouseRead;
    },
  };
}

function kill({ pid }: IPty, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}
