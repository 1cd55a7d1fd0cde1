// Writes screens to the terminal: only the changed cells, in one synchronized update, at a limited rate. A terminal that
// cannot keep up gets the latest screen when it is ready.
import { type Clock, realClock, type Timer } from '../../../lib/clock/index.js';
import { cellChanges } from '../cells/cell-changes.js';
import type { Cells } from '../cells/cells.js';

export interface PaintTarget {
  write(text: string): unknown;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  readonly writableNeedDrain?: boolean | undefined;
  once?(event: 'drain', react: () => void): unknown;
}

interface Painter {
  paint(cells: Cells): void;
  /** The terminal's content is unknown: the next screen is written in full. */
  forget(): void;
  /** Writes the latest screen now. */
  flush(): void;
  stop(): void;
}

const FRAMES_PER_SECOND = 15;
const FRAME_MS = 1000 / FRAMES_PER_SECOND;

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';

export function createPainter(target: PaintTarget, clock: Clock = realClock): Painter {
  let shown: Cells | null = null;
  let wanted: Cells | null = null;
  let timer: Timer | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let isWaiting = false;

  function show(): void {
    timer?.stop();
    timer = undefined;
    if (!wanted || wanted === shown || isStopped || isWaiting) return;
    if (target.writableNeedDrain && target.once) {
      wait();
      return;
    }
    const changes = cellChanges(shown, wanted);
    shown = wanted;
    if (changes === '') return;
    last = clock.elapsed();
    target.write(BEGIN + changes + END);
  }

  function wait(): void {
    isWaiting = true;
    target.once!('drain', () => {
      isWaiting = false;
      show();
    });
  }

  return {
    paint(cells) {
      wanted = cells;
      timer ??= clock.after(Math.max(0, last + FRAME_MS - clock.elapsed()), show);
    },
    forget() {
      shown = null;
    },
    flush: show,
    stop() {
      isStopped = true;
      timer?.stop();
    },
  };
}
