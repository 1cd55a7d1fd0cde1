// Lines that stay, and below them one that is drawn over. Where nothing can be drawn over there is only the former.
import type { Output } from '../../command.js';
import type { Screen } from './screen.js';

export interface LiveLine {
  /** Text that stays; it ends with a line feed of its own. */
  print(text: string): void;
  /** What the last line shows now. */
  draw(line: string): void;
  clear(): void;
  /** Leaves the last line to somebody else, and keeps back what is printed meanwhile. */
  hold(): void;
  release(): void;
}

const ERASE = '\r\u001b[2K';

export function createLiveLine(output: Output, { isLive }: Pick<Screen, 'isLive'>): LiveLine {
  let shown = '';
  let kept: string[] | null = null;
  const erase = () => shown && output.write(ERASE);
  return {
    print(text) {
      if (kept) kept.push(text);
      else {
        erase();
        output.write(text + shown);
      }
    },
    draw(line) {
      if (!isLive || line === shown) return;
      if (!kept) output.write(ERASE + line);
      shown = line;
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
      output.write(kept.join('') + shown);
      kept = null;
    },
  };
}
