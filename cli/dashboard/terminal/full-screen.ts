// Puts the terminal into the dashboard's mode: alternate screen, no cursor or line wrapping, bracketed paste. Restored
// exactly once, however the dashboard ends.

const ENTER = [
  '\u001b[?1049h', // alternate screen
  '\u001b[?25l', // no cursor
  '\u001b[?7l', // no line wrapping
  '\u001b[?2004h', // bracketed paste
  '\u001b[2J\u001b[H',
].join('');
const LEAVE = [
  '\u001b[?2026l', // end any unfinished synchronized update
  '\u001b[?2004l',
  '\u001b[?7h',
  '\u001b[0m',
  '\u001b[?25h',
  '\u001b[?1049l',
].join('');

export interface RawInput {
  readonly isTTY?: boolean | undefined;
  setRawMode?(isRaw: boolean): unknown;
}

export interface FullScreen {
  enter(): void;
  /** Does nothing the second time. */
  leave(): void;
  /** The terminal is gone: writes nothing from now on. */
  abandon(): void;
  readonly isAbandoned: boolean;
}

export function createFullScreen(output: { write(text: string): unknown }, input: RawInput): FullScreen {
  let isEntered = false;
  let isAbandoned = false;

  function leave(): void {
    if (!isEntered) return;
    isEntered = false;
    process.off('exit', leave);
    setRaw(input, false);
    output.write(LEAVE);
  }

  return {
    enter() {
      isEntered = true;
      // Runs before Node prints an uncaught error, which then appears on the normal screen.
      process.on('exit', leave);
      setRaw(input, true);
      output.write(ENTER);
    },
    leave,
    abandon() {
      isEntered = false;
      isAbandoned = true;
      process.off('exit', leave);
    },
    get isAbandoned() {
      return isAbandoned;
    },
  };
}

function setRaw(input: RawInput, isRaw: boolean): void {
  if (!input.isTTY) return;
  try {
    input.setRawMode?.(isRaw);
  } catch {
    // A closed terminal has no mode to set.
  }
}
