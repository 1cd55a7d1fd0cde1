// Scrolls through growing text: keeps the row at the top, and offers the commands that move it.
import { useCallback, useState } from 'react';
import {
  type Anchor,
  type RowPlace,
  type RowSource,
  scrollBy,
  scrollToStart,
  visibleRows,
} from '../../../lib/console/index.js';
import type { Commands } from '../keys/bindings.js';

export interface Scroller {
  /** True while it follows the end. */
  readonly isFollowing: boolean;
  readonly commands: Commands;
  /** The rows to show. */
  readonly rows: readonly RowPlace[];
  /** The same function as long as the component is mounted. */
  reset(): void;
}

/** `start`: where it starts; by default at the end, which it follows. */
export function useScroller(source: RowSource, height: number, start: Anchor = null): Scroller {
  const [anchor, setAnchor] = useState<Anchor>(start);
  const move = (distance: number) => setAnchor(from => scrollBy(source, from, distance, height));
  const page = Math.max(1, height - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it starts does not change
  const reset = useCallback(() => setAnchor(start), []);
  return {
    isFollowing: anchor === null,
    rows: visibleRows(source, anchor, height),
    commands: {
      scrollUp: () => move(-1),
      scrollDown: () => move(1),
      pageUp: () => move(-page),
      pageDown: () => move(page),
      toStart: () => setAnchor(scrollToStart(source, height)),
      ...(anchor !== null && { follow: () => setAnchor(null) }),
    },
    reset,
  };
}

export const AT_START: Anchor = { item: 0, row: 0 };

/** Of rows that take one line each. */
export function rowsSource(count: number): RowSource {
  return { first: 0, end: count, rowsOf: () => 1 };
}

/** Scrolls through such rows; there are no commands where all of them fit. */
export function useRows<Row>(rows: readonly Row[], height: number, start = AT_START as Anchor) {
  const scroller = useScroller(rowsSource(rows.length), height, start);
  const isWhole = rows.length <= height;
  const first = scroller.rows[0]?.item ?? 0;
  const shown = rows.slice(first, first + height);
  const commands: Commands = isWhole ? {} : scroller.commands;
  return {
    shown,
    isWhole,
    commands,
    place: `lines ${first + 1}–${first + shown.length} of ${rows.length}`,
  };
}
