// Puts the terminal into the dashboard's mode: alternate screen, no cursor or line wrapping, bracketed paste, mouse. Restored
// exactly once, however the dashboard ends.

export const CLEAR = '\u001b[2J\u001b[H';
const ENTER = [
  '\u001b[?1049h', // alternate screen
  '\u001b[?25l', // no cursor
  '\u001b[?7l', // no line wrapping
  '\u001b[?2004h', // bracketed paste
  CLEAR,
].join('');
/** Presses and the wheel, with positions beyond column 223. */
const MOUSE_ON = '\u001b[?1000h\u001b[?1006h';
const MOUSE_OFF = '\u001b[?1006l\u001b[?1000l';
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

export type FullScreen = ReturnType<typeof createFullScreen>;

export function createFullScreen(
  output: { write(text: string): unknown },
  input: RawInput,
  { hasMouse = false }: { readonly hasMouse?: boolean } = {},
) {
  let isEntered = false;
  let isAbandoned = false;

  /** Does nothing the second time. */
  function leave(): void {
    if (!isEntered) return;
    isEntered = false;
    process.off('exit', leave);
    setRaw(input, false);
    output.write((hasMouse ? MOUSE_OFF : '') + LEAVE);
  }

  return {
    /**
     * Enters, or sets everything again if already entered, for a terminal that another program has used
     * meanwhile.
     */
    enter(): void {
      if (isAbandoned) return;
      // Node skips setting a mode that it believes is already set.
      if (isEntered) setRaw(input, false);
      // Runs before Node prints an uncaught error, which then appears on the normal screen.
      else process.on('exit', leave);
      isEntered = true;
      setRaw(input, true);
      output.write(ENTER + (hasMouse ? MOUSE_ON : ''));
    },
    leave,
    /** The terminal is gone: writes nothing from now on. */
    abandon(): void {
      isEntered = false;
      isAbandoned = true;
      process.off('exit', leave);
    },
    get isAbandoned(): boolean {
      return isAbandoned;
    },
  };
}

function setRaw(input: RawInput, isRaw: boolean): void {
  if (!input.isTTY) return;
  try {
    input.setRawMode?.(isRaw);
  } catch {
    // A closed terminal has no mode to restore.
  }
}

/** The limit that most terminals accept, in bytes of base64. */
const LONGEST = 100_000;
/** The largest chunk that GNU screen passes through. */
const SCREEN_CHUNK = 500;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Asks the terminal to copy a text (OSC 52), which also works over SSH. There is no confirmation. Null if the
 * text is too long.
 */
export function copySequence(text: string, env: Env = {}): string | null {
  const encoded = Buffer.from(text, 'utf8').toString('base64');
  if (encoded.length > LONGEST) return null;
  const sequence = `\u001b]52;c;${encoded}\u0007`;
  return env.STY ? throughScreen(sequence) : sequence;
}

/** GNU screen passes on only wrapped sequences; tmux handles the sequence itself. */
function throughScreen(sequence: string): string {
  let wrapped = '';
  for (let at = 0; at < sequence.length; at += SCREEN_CHUNK)
    wrapped += `\u001bP${sequence.slice(at, at + SCREEN_CHUNK)}\u001b\\`;
  return wrapped;
}
