// Scrolls through growing text: keeps the row at the top, and the commands that move it.
import {
  type Anchor,
  type RowPlace,
  type RowSource,
  scrollBy,
  scrollToStart,
  visibleRows,
} from '../../../lib/console/index.js';
import type { Commands } from './bindings.js';

export interface Scroller {
  /** True while it follows the end. */
  readonly isFollowing: boolean;
  readonly commands: Commands;
  /** The rows to draw. */
  rows(): RowPlace[];
  reset(): void;
}

interface ScrollerOptions {
  source(): RowSource;
  height(): number;
  changed(): void;
  /** Where it starts; by default at the end, which it follows. */
  readonly start?: Anchor;
}

export function createScroller({ source, height, changed, start = null }: ScrollerOptions): Scroller {
  let anchor: Anchor = start;

  function set(next: Anchor): void {
    anchor = next;
    changed();
  }
  const move = (distance: number) => set(scrollBy(source(), anchor, distance, height()));
  const page = () => Math.max(1, height() - 1);

  return {
    get isFollowing() {
      return anchor === null;
    },
    get commands() {
      return {
        scrollUp: () => move(-1),
        scrollDown: () => move(1),
        pageUp: () => move(-page()),
        pageDown: () => move(page()),
        toStart: () => set(scrollToStart(source(), height())),
        ...(anchor !== null && { follow: () => set(null) }),
      };
    },
    rows: () => visibleRows(source(), anchor, height()),
    reset() {
      anchor = start;
    },
  };
}
