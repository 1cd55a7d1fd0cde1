// Writes frames to the terminal: only the changed lines, in one synchronized update, at a limited rate. A terminal that
// cannot keep up gets the latest frame when it is ready.
import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../../../lib/console/index.js';

export interface PaintTarget {
  write(text: string): unknown;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  readonly writableNeedDrain?: boolean | undefined;
  once?(event: 'drain', react: () => void): unknown;
}

interface Painter {
  paint(frame: string): void;
  /** The terminal's content is unknown: the next frame is written in full. */
  forget(): void;
  /** Writes the latest frame now. */
  flush(): void;
  stop(): void;
}

const FRAMES_PER_SECOND = 15;
export const FRAME_MS = 1000 / FRAMES_PER_SECOND;

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';

export function createPainter(target: PaintTarget, everyMs: number): Painter {
  let shown: readonly string[] = [];
  let wanted = '';
  let isStale = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let isWaiting = false;

  function show(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!isStale || isStopped || isWaiting) return;
    if (target.writableNeedDrain && target.once) {
      wait();
      return;
    }
    const { columns = 80, rows = 24 } = target;
    const lines = wanted.split('\n').slice(0, rows);
    const changes = changedLines(shown, lines, columns);
    shown = lines;
    isStale = false;
    if (changes === '') return;
    last = Date.now();
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
    paint(frame) {
      wanted = frame;
      isStale = true;
      timer ??= setTimeout(show, Math.max(0, last + everyMs - Date.now()));
    },
    forget() {
      shown = [];
      isStale = true;
    },
    flush: show,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** The output that turns one frame into the other; without a frame before, it clears the screen first. */
export function changedLines(before: readonly string[], after: readonly string[], columns: number): string {
  const clear = before.length === 0 && after.length > 0 ? '\u001b[0m\u001b[2J' : '';
  const count = Math.max(before.length, after.length);
  let changes = clear;
  for (let row = 0; row < count; row++) {
    const text = after[row] ?? '';
    if (text === (before[row] ?? '')) continue;
    const isShort = displayWidth(stripVTControlCharacters(text)) < columns;
    changes += `\u001b[${row + 1};1H${text}${isShort ? '\u001b[K' : ''}`;
  }
  return changes;
}
