// A program in a pseudo-terminal, with somebody at the keys and an emulator for a screen.
import { type IPty, spawn } from '@lydell/node-pty';
import { inTime } from '../../support/in-time.js';
import { createEmulator, type Size } from './emulator.js';
import { clickOn, toBytes } from './keys.js';
import { watchText } from './wait-for-text.js';

export interface ScreenOptions {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  size?: Size;
}

export type Screen = ReturnType<typeof openScreen>;

const USUAL: Size = { columns: 80, rows: 24 };

export function openScreen({ file, args, cwd, env, size = USUAL }: ScreenOptions) {
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
    /** Its exit code, once the last of what it wrote can be seen. Waits as long as it writes something now and then. */
    get exited() {
      const progress = () => `${emulator.written.length} characters written`;
      return inTime(exited, { progress, beside: text });
    },
    /** Keys by name, or text as it is. */
    press: (...keys: string[]) => keys.forEach(key => void pty.write(toBytes(key))),
    /** On the first place of a text that is seen. */
    click: (text: string) => pty.write(clickOn(text, lines())),
    /** As another program writes on the same terminal. */
    scribble: emulator.write,
    resize(next: Size) {
      emulator.resize(next);
      pty.resize(next.columns, next.rows);
    },
    kill(signal: NodeJS.Signals) {
      try {
        process.kill(pty.pid, signal);
      } catch {
        // It is gone already.
      }
    },
    /** Closes the terminal, as closing a window does. */
    close: () => (pty as IPty & { destroy(): void }).destroy(),
    get written() {
      return emulator.written;
    },
    get modes() {
      const { isTaken, isCursorShown, isMouseRead } = emulator;
      return { isTaken, isCursorShown, isMouseRead };
    },
  };
}
