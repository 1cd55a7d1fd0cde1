// Scrolling: of text that grows at its end, of a list with a selected row, and of a long list of which only
// the visible rows are rendered.

/**
 * Text that grows at its end. The viewport either follows the end, or stays in place whatever is added. Items
 * are lines, entries or messages of one or more rows; only items near the viewport are measured.
 */
export interface RowSource {
  /** The number of the first item kept; dropped items have lower ones. */
  readonly first: number;
  /** The number after the last item. */
  readonly end: number;
  /** The item's height in rows. Zero for one that is left out; the first item has at least one. */
  rowsOf(item: number): number;
}

export interface RowPlace {
  readonly item: number;
  readonly row: number;
}

/** The position at the top; null to follow the end. */
export type Anchor = RowPlace | null;

/** The visible rows, from the top. */
export function visibleRows(source: RowSource, anchor: Anchor, height: number): RowPlace[] {
  const top = topOf(source, anchor, height);
  const rows: RowPlace[] = [];
  for (let place = top; place && rows.length < height; place = after(source, place)) rows.push(place);
  return rows;
}

/** The anchor after scrolling by `distance` rows; null once the end is visible. */
export function scrollBy(source: RowSource, anchor: Anchor, distance: number, height: number): Anchor {
  let place = topOf(source, anchor, height);
  const step = distance < 0 ? before : after;
  for (let rows = Math.abs(distance); rows > 0 && place; rows--) place = step(source, place) ?? place;
  return place && isBefore(place, lastTop(source, height)) ? place : null;
}

/** The start of the text as an anchor; null if everything is visible anyway. */
export function scrollToStart(source: RowSource, height: number): Anchor {
  return scrollBy(source, { item: source.first, row: 0 }, 0, height);
}

function topOf(source: RowSource, anchor: Anchor, height: number): Anchor {
  const last = lastTop(source, height);
  if (!anchor || !last) return last;
  const clamped = anchor.item < source.first ? { item: source.first, row: 0 } : anchor;
  if (!isBefore(clamped, last)) return last;
  // The item may have fewer rows after the viewport became wider, or none after it was left out.
  const rows = source.rowsOf(clamped.item);
  return rows > 0 ? { item: clamped.item, row: Math.min(clamped.row, rows - 1) } : after(source, clamped);
}

/** The top position when the end is visible; null if there is no text. */
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
  for (let next = item + 1; next < source.end; next++)
    if (source.rowsOf(next) > 0) return { item: next, row: 0 };
  return null;
}

function before(source: RowSource, { item, row }: RowPlace): Anchor {
  if (row > 0) return { item, row: row - 1 };
  for (let next = item - 1; next >= source.first; next--) {
    const rows = source.rowsOf(next);
    if (rows > 0) return { item: next, row: rows - 1 };
  }
  return null;
}

function isBefore(a: RowPlace, b: Anchor): boolean {
  return b !== null && (a.item < b.item || (a.item === b.item && a.row < b.row));
}

interface RowWindowOptions {
  readonly count: number;
  readonly rowHeight: number;
  /** How far the first row is above the top of the viewport; negative while it is below. */
  readonly scrolled: number;
  readonly viewHeight: number;
}

interface RowWindow {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** The height of the omitted rows before. */
  readonly before: number;
  readonly after: number;
}

/** The index `distance` rows away, clamped to the list; -1 if it is empty. */
export function moveWithin(index: number, distance: number, count: number): number {
  return Math.min(count - 1, Math.max(0, index + distance));
}

/**
 * The index of the top row of a list with a selection. Changes only if the selected row would not be visible.
 */
export function keepInSight(top: number, chosen: number, height: number, count: number): number {
  const lowest = Math.max(0, count - height);
  const nearest = Math.max(chosen - height + 1, Math.min(top, chosen));
  return Math.min(lowest, Math.max(0, nearest));
}

/** Lists up to this length are rendered in full. */
const WHOLE = 200;
const AROUND = 20;

/**
 * Which rows of a long list to render: the visible ones and some around them. Empty space replaces the rest.
 */
export function rowWindow({ count, rowHeight, scrolled, viewHeight }: RowWindowOptions): RowWindow {
  if (count <= WHOLE || rowHeight <= 0) return { start: 0, end: count, before: 0, after: 0 };
  const seen = Math.ceil(viewHeight / rowHeight);
  const size = Math.min(count, seen + 2 * AROUND);
  // Moves in steps, so that scrolling by a row or two does not re-render.
  const first = Math.floor(scrolled / rowHeight / AROUND) * AROUND;
  const start = Math.min(Math.max(0, first - AROUND), count - size);
  const end = Math.min(count, Math.max(start + size, first + seen + 2 * AROUND));
  return { start, end, before: start * rowHeight, after: (count - end) * rowHeight };
}
