// Permanent lines with one redrawn line below them. Where nothing can be redrawn, there are only permanent lines. Other code
// may write in between, even partial lines: its text is never erased, and nothing is appended to its line.
import { bellSequence } from '../../../lib/console/index.js';
import type { Io, Output } from '../../command.js';
import type { Screen } from '../../screen.js';
import { withOwnColors } from '../../style.js';

const ERASE = '\r\u001b[2K';
const LINE_FEED = 10;

export function createLiveLine(output: Output, { isLive }: Pick<Screen, 'isLive'>) {
  let shown = '';
  let isDrawn = false;
  let isMidLine = false;
  let heldBack: (() => void)[] | null = null;

  function erase(): void {
    if (isDrawn) output.write(ERASE);
    isDrawn = false;
  }

  function redraw(): void {
    if (isMidLine || shown === '') return;
    output.write(shown);
    isDrawn = true;
  }

  function write(chunk: string | Uint8Array): void {
    erase();
    output.write(chunk);
    isMidLine = !endsLine(chunk);
    redraw();
  }

  /** Runs now, or once the last line is released. */
  function soon(work: () => void): void {
    if (heldBack) heldBack.push(work);
    else work();
  }

  return {
    /** Prints whole permanent lines of svc's own output, starting at the left edge. */
    print(text: string): void {
      soon(() => write(withOwnColors(isMidLine ? `\n${text}` : text)));
    },
    /** Passes through other code's output. While its line is unfinished, nothing is drawn below. */
    pass(chunk: string | Uint8Array): void {
      if (chunk.length > 0) soon(() => write(chunk));
    },
    /** Sets the text of the last line. */
    draw(text: string): void {
      const line = withOwnColors(text);
      if (!isLive || line === shown) return;
      shown = line;
      if (heldBack || isMidLine) return;
      output.write(ERASE + line);
      isDrawn = true;
    },
    clear(): void {
      if (!heldBack) erase();
      shown = '';
    },
    /** Leaves the last line to other code and holds back what is printed meanwhile. */
    hold(): void {
      erase();
      heldBack ??= [];
    },
    release(): void {
      if (!heldBack) return;
      const works = heldBack;
      heldBack = null;
      for (const work of works) work();
      if (works.length === 0) redraw();
    },
  };
}

function endsLine(chunk: string | Uint8Array): boolean {
  return typeof chunk === 'string' ? chunk.endsWith('\n') : chunk.at(-1) === LINE_FEED;
}

/** Rings the terminal when something is done. Does nothing for piped output. */
export function ring({ stdout, env }: Pick<Io, 'stdout' | 'env'>, text: string): void {
  if (stdout.isTTY === true) stdout.write(bellSequence(text, env));
}

/** Shows 25, 50, 75 and 100. */
export function everyQuarter(show: (percent: number) => void): (done: number, total: number) => void {
  let shown = 0;
  return (done, total) => {
    const percent = Math.floor((4 * done) / total) * 25;
    if (percent > shown) show(percent);
    shown = percent;
  };
}
