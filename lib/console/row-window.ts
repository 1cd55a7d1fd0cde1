// Which rows of a long list to render: the visible ones and some around them. Empty space replaces the rest.

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
  /** The heights of the omitted rows. */
  readonly before: number;
  readonly after: number;
}

/** Lists up to this length are rendered in full. */
const WHOLE = 200;
const AROUND = 20;

export function rowWindow({ count, rowHeight, scrolled, viewHeight }: RowWindowOptions): RowWindow {
  if (count <= WHOLE || rowHeight <= 0) return { start: 0, end: count, before: 0, after: 0 };
  const seen = Math.ceil(viewHeight / rowHeight);
  const size = Math.min(count, seen + 2 * AROUND);
  // In steps, so that scrolling by a row or two does not re-render.
  const first = Math.floor(scrolled / rowHeight / AROUND) * AROUND;
  const start = Math.min(Math.max(0, first - AROUND), count - size);
  const end = Math.min(count, Math.max(start + size, first + seen + 2 * AROUND));
  return { start, end, before: start * rowHeight, after: (count - end) * rowHeight };
}
