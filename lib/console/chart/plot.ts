// Converts chart fractions to drawing coordinates, in whatever unit the caller uses, and series to the levels of a sparkline.

import type { ChartVertex } from './chart-axes.js';
import type { MetricSeries } from './series.js';
import { toFraction } from './ticks.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The rectangle that holds the lines; labels are outside it. */
export interface PlotArea extends Size {
  readonly left: number;
  readonly top: number;
}

interface PlotMargins {
  /** The width of one label character. */
  readonly character: number;
  readonly gap: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * The usual label width, as in `0.1235`, so that the plot does not shift while the ends of its axis change.
 */
const USUAL_LABEL = 6;

/** The plot area of a drawing of that size, with room for the widest label on the left. */
export function plotArea(size: Size, yLabels: readonly string[], margins: PlotMargins): PlotArea {
  const widest = Math.max(USUAL_LABEL, ...yLabels.map(label => label.length));
  const left = Math.ceil(widest * margins.character + margins.gap);
  return {
    left,
    top: margins.top,
    width: Math.max(0, size.width - left - margins.right),
    height: Math.max(0, size.height - margins.top - margins.bottom),
  };
}

export function plotX({ left, width }: PlotArea, fraction: number): number {
  return rounded(left + fraction * width);
}

export function plotY({ top, height }: PlotArea, fraction: number): number {
  return rounded(top + (1 - fraction) * height);
}

interface LabelledTick {
  readonly position: number;
  readonly label: string;
}

/**
 * From the ticks, bottom to top, keeps those whose labels neither touch nor repeat another; the lowest has
 * priority, then the highest.
 */
export function roomyTicks<Tick extends LabelledTick>(
  ticks: readonly Tick[],
  height: number,
  lineHeight: number,
): Tick[] {
  const shownTicks: Tick[] = [];
  const isRoomy = ({ position, label }: Tick) =>
    shownTicks.every(
      other => Math.abs(position - other.position) * height >= lineHeight && label !== other.label,
    );
  for (const tick of [...ticks.slice(0, 1), ...ticks.slice(-1), ...ticks.slice(1, -1)])
    if (isRoomy(tick)) shownTicks.push(tick);
  return shownTicks.sort((a, b) => a.position - b.position);
}

/** The vertices of a line as an SVG `points` attribute. */
export function plotPoints(area: PlotArea, vertices: readonly ChartVertex[]): string {
  return vertices.map(({ x, y }) => `${plotX(area, x)},${plotY(area, y)}`).join(' ');
}

/** How far along the plot an x coordinate is, 0 at the left to 1 at the right. */
export function fractionAt({ left, width }: PlotArea, x: number): number {
  if (width === 0) return 0;
  return Math.min(1, Math.max(0, (x - left) / width));
}

/** The left edge of a box placed next to `x` and within `room`, on the right if it fits there. */
export function besideCursor(x: number, boxWidth: number, room: number, gap: number): number {
  const right = x + gap;
  if (right + boxWidth <= room) return right;
  return Math.max(0, Math.min(x - gap - boxWidth, room - boxWidth));
}

function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}

/**
 * A series in one row of characters: for each column, the last value in it as a level from 0 to `levels - 1`;
 * a short series has fewer columns.
 */
export function sparkLevels(
  { values, length, minValue, maxValue }: MetricSeries,
  columns: number,
  levels: number,
): number[] {
  const count = Math.min(length, Math.max(0, columns));
  return Array.from({ length: count }, (_, column) => {
    const value = values[Math.ceil(((column + 1) * length) / count) - 1]!;
    return Math.round(toFraction(value, minValue!, maxValue!) * (levels - 1));
  });
}
