// A terminal without a window: what is written to it can be read as a person would see it.
import headless from '@xterm/headless';

export interface Size {
  columns: number;
  rows: number;
}

export interface Cell {
  text: string;
  width: number;
  /** One of the sixteen colors; null for the terminal's own. */
  color: number | null;
  isBold: boolean;
  isDim: boolean;
  isInverse: boolean;
  isStruck: boolean;
}

export function createEmulator({ columns, rows }: Size) {
  // As a terminal's driver, `convertEol` begins a line where one is ended.
  const terminal = new headless.Terminal({ cols: columns, rows, convertEol: true, allowProposedApi: true });
  let written = '';

  const rowNumbers = () => Array.from({ length: terminal.rows }, (_, row) => row);
  const lineAt = (row: number) => terminal.buffer.active.getLine(terminal.buffer.active.viewportY + row);
  const lines = () => rowNumbers().map(row => (lineAt(row)?.translateToString(true) ?? '').trimEnd());

  function cellAt(row: number, column: number): Cell | null {
    const cell = lineAt(row)?.getCell(column);
    if (!cell || cell.getWidth() === 0) return null;
    return {
      text: cell.getChars() || ' ',
      width: cell.getWidth(),
      color: cell.isFgPalette() ? cell.getFgColor() : null,
      isBold: cell.isBold() !== 0,
      isDim: cell.isDim() !== 0,
      isInverse: cell.isInverse() !== 0,
      isStruck: cell.isStrikethrough() !== 0,
    };
  }
  const cellsOf = (row: number) => Array.from({ length: terminal.cols }, (_, column) => cellAt(row, column));

  return {
    /** What is seen, without blanks at the ends of lines. */
    lines,
    text: () => lines().join('\n'),
    write(data: string) {
      written += data;
      terminal.write(data);
    },
    /** Resolves once all that was written can be seen. */
    drawn: () => new Promise<void>(resolve => terminal.write('', resolve)),
    /** Tells whenever more of it can be seen, until the returned function is called. */
    onDrawn(react: () => void) {
      const listener = terminal.onWriteParsed(react);
      return () => listener.dispose();
    },
    resize: (size: Size) => terminal.resize(size.columns, size.rows),
    /** What the terminal says by itself, when it is asked. */
    onAnswer: (react: (answer: string) => void) => void terminal.onData(react),
    /** Each place of each line; the second half of a wide sign has none. */
    cells: () => rowNumbers().map(row => cellsOf(row).filter(cell => cell !== null)),
    /** All that was written, escape sequences included. */
    get written() {
      return written;
    },
    /** Whether a program has taken the screen over. */
    get isTaken() {
      return terminal.buffer.active.type === 'alternate';
    },
    get isCursorShown() {
      return written.lastIndexOf('\u001b[?25l') <= written.lastIndexOf('\u001b[?25h');
    },
    /** Whether a program hears of clicks. */
    get isMouseRead() {
      return terminal.modes.mouseTrackingMode !== 'none';
    },
  };
}
