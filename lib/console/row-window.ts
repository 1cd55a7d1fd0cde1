// Which rows of a long list are drawn: those in sight and some around them. The rest is room before and after.

export interface RowWindowOptions {
  readonly count: number;
  readonly rowHeight: number;
  /** How far the list's first row is above the top of what is seen; negative while it is below. */
  readonly scrolled: number;
  readonly viewHeight: number;
}

export interface RowWindow {
  readonly start: number;
  /** The first row that is not drawn. */
  readonly end: number;
  /** The heights of what is left out. */
  readonly before: number;
  readonly after: number;
}

/** Shorter lists are drawn as a whole. */
const WHOLE = 200;
const AROUND = 20;

export function rowWindow({ count, rowHeight, scrolled, viewHeight }: RowWindowOptions): RowWindow {
  if (count <= WHOLE || rowHeight <= 0) return { start: 0, end: count, before: 0, after: 0 };
  const seen = Math.ceil(viewHeight / rowHeight);
  const size = Math.min(count, seen + 2 * AROUND);
  // In steps, so that scrolling by a row or two draws nothing again.
  const first = Math.floor(scrolled / rowHeight / AROUND) * AROUND;
  const start = Math.min(Math.max(0, first - AROUND), count - size);
  const end = Math.min(count, Math.max(start + size, first + seen + 2 * AROUND));
  return { start, end, before: start * rowHeight, after: (count - end) * rowHeight };
}
