// Lines that stay, and below them one that is drawn over. Where nothing can be drawn over there is only the former.
// Others may write in between, and not in whole lines: what they wrote is never erased, and nothing is put behind it.
import type { Output } from '../../command.js';
import type { Screen } from './screen.js';

export interface LiveLine {
  /** Text of ours that stays: whole lines, begun at the left. */
  print(text: string): void;
  /** What others write, as it is. While it stands in the middle of a line, nothing is drawn below. */
  pass(chunk: string | Uint8Array): void;
  /** What the last line shows now. */
  draw(line: string): void;
  clear(): void;
  /** Leaves the last line to somebody else, and keeps back what is printed meanwhile. */
  hold(): void;
  release(): void;
}

const ERASE = '\r\u001b[2K';
const LINE_FEED = 10;

export function createLiveLine(output: Output, { isLive }: Pick<Screen, 'isLive'>): LiveLine {
  let shown = '';
  let isDrawn = false;
  let isMidLine = false;
  let kept: (() => void)[] | null = null;

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

  /** At once, or when the last line is ours again. */
  function soon(work: () => void): void {
    if (kept) kept.push(work);
    else work();
  }

  return {
    print: text => soon(() => write(isMidLine ? `\n${text}` : text)),
    pass: chunk => {
      if (chunk.length > 0) soon(() => write(chunk));
    },
    draw(line) {
      if (!isLive || line === shown) return;
      shown = line;
      if (kept || isMidLine) return;
      output.write(ERASE + line);
      isDrawn = true;
    },
    clear() {
      if (!kept) erase();
      shown = '';
    },
    hold() {
      erase();
      kept ??= [];
    },
    release() {
      if (!kept) return;
      const works = kept;
      kept = null;
      for (const work of works) work();
      if (works.length === 0) redraw();
    },
  };
}

function endsLine(chunk: string | Uint8Array): boolean {
  return typeof chunk === 'string' ? chunk.endsWith('\n') : chunk.at(-1) === LINE_FEED;
}
