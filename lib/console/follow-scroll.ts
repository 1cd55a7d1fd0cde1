// A text that grows at its end, of which some rows are in sight: either its end is followed, or one place stays at the
// top whatever is added. Items are lines, entries or messages; each takes some rows, and only those near are asked for.

export interface RowSource {
  /** The number of the first item that is kept; what fell out before it had lower ones. */
  readonly first: number;
  /** The number after the last item. */
  readonly end: number;
  /** How many rows an item takes: one at least. */
  rowsOf(item: number): number;
}

export interface RowPlace {
  readonly item: number;
  readonly row: number;
}

/** What is at the top; null follows the end. */
export type Anchor = RowPlace | null;

/** The rows in sight, from the top. */
export function visibleRows(source: RowSource, anchor: Anchor, height: number): RowPlace[] {
  const top = topOf(source, anchor, height);
  const rows: RowPlace[] = [];
  for (let place = top; place && rows.length < height; place = after(source, place)) rows.push(place);
  return rows;
}

/** Where the top is after scrolling by so many rows; null once the end is in sight. */
export function scrollBy(source: RowSource, anchor: Anchor, distance: number, height: number): Anchor {
  let place = topOf(source, anchor, height);
  const step = distance < 0 ? before : after;
  for (let rows = Math.abs(distance); rows > 0 && place; rows--) place = step(source, place) ?? place;
  return place && isBefore(place, lastTop(source, height)) ? place : null;
}

/** The very beginning, as an anchor; null where all is in sight anyway. */
export function scrollToStart(source: RowSource, height: number): Anchor {
  return scrollBy(source, { item: source.first, row: 0 }, 0, height);
}

function topOf(source: RowSource, anchor: Anchor, height: number): Anchor {
  const last = lastTop(source, height);
  if (!anchor || !last) return last;
  const kept = anchor.item < source.first ? { item: source.first, row: 0 } : anchor;
  if (!isBefore(kept, last)) return last;
  // A window that was made wider leaves an item with fewer rows.
  return { item: kept.item, row: Math.min(kept.row, source.rowsOf(kept.item) - 1) };
}

/** The top when the end is in sight; null when there is nothing. */
function lastTop(source: RowSource, height: number): Anchor {
  let rows = 0;
  for (let item = source.end - 1; item >= source.first; item--) {
    rows += source.rowsOf(item);
    if (rows >= height) return { item, row: rows - height };
  }
  return source.end > source.first ? { item: source.first, row: 0 } : null;
}

function after(source: RowSource, { item, row }: RowPlace): Anchor {
  if (row + 1 < source.rowsOf(item)) return { item, row: row + 1 };
  return item + 1 < source.end ? { item: item + 1, row: 0 } : null;
}

function before(source: RowSource, { item, row }: RowPlace): Anchor {
  if (row > 0) return { item, row: row - 1 };
  return item > source.first ? { item: item - 1, row: source.rowsOf(item - 1) - 1 } : null;
}

function isBefore(a: RowPlace, b: Anchor): boolean {
  return b !== null && (a.item < b.item || (a.item === b.item && a.row < b.row));
}
