// What the y-axis of a chart covers: its lines in the stretch of the x-axis that is shown.
import type { XRange } from './chart-choices.js';
import type { MetricSeries } from './series.js';
import { alongZoom, within } from './series-window.js';
import { smoothSeries } from './smoothing.js';
import { toValueScale, type ValueScale, widenScale, withoutOutliers } from './value-axis.js';

interface FrameOptions {
  readonly isLog?: boolean;
  readonly isSmooth?: boolean;
  readonly ignoresOutliers?: boolean;
  readonly zoom?: XRange | null;
}

export interface ChartFrame {
  /** Null without values. */
  readonly scale: ValueScale | null;
  /** The points that are shown. */
  readonly points: readonly MetricSeries[];
  /** Null for a series that is not smoothed. */
  smoothed(series: MetricSeries): MetricSeries | null;
}

/** `lines`: those to show; `otherwise`: what to cover if none of them is in the stretch. */
export function frameLines(
  lines: readonly MetricSeries[],
  otherwise: readonly MetricSeries[],
  options: FrameOptions,
  smoothable: readonly MetricSeries[] = lines,
): ChartFrame {
  const { zoom = null, isLog = false, isSmooth = false, ignoresOutliers = false } = options;
  const along = linesAlong(lines, zoom, isLog);
  const scale = toValueScale(along.some(hasPoints) ? along : otherwise, options);
  const isLogScale = scale?.isLog ?? false;
  const calm = (series: MetricSeries) => (ignoresOutliers ? withoutOutliers(series, isLogScale) : series);
  const smoothed = new Map(
    isSmooth
      ? lines
          .filter(series => smoothable.includes(series) && series.length > 1)
          .map(series => [series, smoothSeries(calm(series), isLogScale)])
      : [],
  );
  return {
    scale:
      scale && (zoom || ignoresOutliers)
        ? widenScale(scale, linesAlong([...smoothed.values()], zoom, isLogScale))
        : scale,
    points: lines.map(series => within(series, zoom)),
    smoothed: series => smoothed.get(series) ?? null,
  };
}

/** On a linear scale, too, where no line has a place on a logarithmic one. */
function linesAlong(lines: readonly MetricSeries[], zoom: XRange | null, isLog: boolean): MetricSeries[] {
  const along = lines.map(series => alongZoom(series, zoom, isLog));
  return isLog && !along.some(hasPoints) ? lines.map(series => alongZoom(series, zoom, false)) : along;
}

export function hasPoints({ length }: MetricSeries): boolean {
  return length > 0;
}
