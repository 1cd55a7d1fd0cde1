// A chart that fits its space, and the commands for its cursor, zoom and drawing options.
import { useMemo } from 'react';
import {
  type ChartChoices,
  type ChartSwitch,
  isLossMetric,
  type PlotColumns,
  type XAxis,
  type XRange,
  zoomBy,
} from '../../../lib/console/index.js';
import { useKept } from '../dashboard-context.js';
import { useCommands } from '../keys/commands.js';
import { type Size, useGlyphs } from '../terminal/look.js';
import { neighborOf } from './use-list.js';

interface Metric {
  readonly name: string;
}

interface Plot<Chart> {
  readonly axes: readonly XAxis[];
  readonly axis: XAxis;
  readonly metrics: readonly Metric[];
  readonly metric: Metric;
  /** The cursor's starting position. */
  readonly latest: number | null;
  draw(size: Size, isFine: boolean): Chart;
  whole(): PlotColumns;
  /** Maps the cursor to the x-axis. */
  placeOf(cursor: number): number | undefined;
  neighbor(cursor: number, direction: -1 | 1): number | null;
  byColumns(cursor: number, distance: number, chart: PlotColumns): number | null;
}

interface Controls extends Size {
  /** The same object as long as its content is the same. */
  readonly choices: ChartChoices;
  readonly zoom: XRange | null;
  /** Null until the cursor is moved. */
  readonly cursor: number | null;
  choose(part: Partial<ChartChoices>): void;
  set(part: { zoom?: XRange | null; cursor?: number; metric?: string }): void;
}

const FAR_COLUMNS = 10;

/** `plot`: the same object as long as its content is the same. */
export function useChart<Chart extends PlotColumns & { readonly waiting: boolean }>(
  plot: Plot<Chart>,
  { width, height, choices, zoom, cursor, choose, set }: Controls,
): Chart {
  const { hasBraille } = useGlyphs();
  const [prefersBraille, braille] = useKept(
    'fine chart',
    (before: boolean, _toggled: null) => !before,
    false,
  );
  const isFine = hasBraille && prefersBraille;
  const chart = useMemo(() => plot.draw({ width, height }, isFine), [plot, width, height, isFine]);
  const { axes, axis, metrics, metric } = plot;
  const move = (next: (at: number) => number | null) => () => {
    const to = cursor === null ? plot.latest : next(cursor);
    if (to !== null) set({ cursor: to });
  };
  const byColumns = (distance: number) => move(at => plot.byColumns(at, distance, chart));
  const rangeOf = ({ minStep, maxStep }: PlotColumns): XRange => ({ from: minStep, to: maxStep });
  const zoomTo = (direction: 1 | -1) => () => {
    const place = (cursor === null ? undefined : plot.placeOf(cursor)) ?? chart.maxStep;
    set({ zoom: zoomBy(rangeOf(plot.whole()), rangeOf(chart), place, direction) });
  };
  const toggle = (name: ChartSwitch) => () => choose({ [name]: !choices[name] });
  useCommands([], {
    ...(!chart.waiting && {
      cursorLeft: byColumns(-1),
      cursorRight: byColumns(1),
      cursorFarLeft: byColumns(-FAR_COLUMNS),
      cursorFarRight: byColumns(FAR_COLUMNS),
      cursorStepLeft: move(at => plot.neighbor(at, -1)),
      cursorStepRight: move(at => plot.neighbor(at, 1)),
      zoomIn: zoomTo(1),
    }),
    ...(zoom && { zoomOut: zoomTo(-1), resetZoom: () => set({ zoom: null }) }),
    ...(isLossMetric(metric) && { toggleLog: toggle('isLog') }),
    toggleSmooth: toggle('isSmooth'),
    toggleOutliers: toggle('ignoresOutliers'),
    togglePlannedEnd: toggle('toPlannedEnd'),
    ...(hasBraille && { toggleBraille: () => braille.dispatch(null) }),
    ...(axes.length > 1 && {
      nextXAxis() {
        choose({ x: neighborOf(axes, axis, 1) });
        // Another axis has other units.
        set({ zoom: null });
      },
    }),
    ...(metrics.length > 1 && {
      nextMetric: () => set({ metric: neighborOf(metrics, metric, 1).name }),
    }),
  });
  return chart;
}
