// Scrolls through growing text: keeps the top row in place, and provides the scroll commands.
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
  /** The visible rows. */
  readonly rows: readonly RowPlace[];
  /** A stable function for the component's lifetime. */
  reset(): void;
}

/** `start`: the initial position; by default the end, which it follows. */
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

/** A source whose items are one row each. */
export function rowsSource(count: number): RowSource {
  return { first: 0, end: count, rowsOf: () => 1 };
}

/** Scrolls through one-line rows; there are no commands if all of them fit. */
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
