// The commands of a comparison: those of its chart, as a job's page has them, and those of its table.
import {
  type ChartSwitch,
  comparedAxes,
  comparedAxis,
  comparedMetric,
  comparedMetrics,
  isLossMetric,
  movePlace,
  nearestPlace,
  placeByColumns,
  zoomBy,
} from '../../../../lib/console/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context } from '../../core/context.js';
import { neighborOf } from '../../core/list.js';
import type { Scroller } from '../../core/scroller.js';
import { comparedChartOf } from './chart-panel.js';
import { layOutCompare } from './draw.js';
import { type ComparePageStore, shownRuns, shownSeries } from './state.js';

interface ComparePage {
  readonly context: Context;
  readonly store: ComparePageStore;
  readonly scroller: Scroller;
  refresh(): void;
}

const FAR_COLUMNS = 10;

export function compareCommands(page: ComparePage): Commands {
  const { context, store, scroller, refresh } = page;
  const runs = shownRuns(store.state);
  if (runs.length === 0) return { refresh };
  const toggle = (what: ChartSwitch) => () => store.dispatch({ type: 'toggle', what });
  const [axes, axis] = [comparedAxes(runs), comparedAxis(runs, store.state.choices)];
  const metrics = comparedMetrics(runs).map(({ name }) => name);
  const metric = comparedMetric(runs, store.state.choices);
  return {
    ...scroller.commands,
    refresh,
    copy: () => context.copy(runs.map(({ id }) => id).join(' '), 'the job IDs'),
    ...cursorCommands(page),
    ...zoomCommands(page),
    ...(isLossMetric(metric) && { toggleLog: toggle('isLog') }),
    toggleSmooth: toggle('isSmooth'),
    toggleOutliers: toggle('ignoresOutliers'),
    togglePlannedEnd: toggle('toPlannedEnd'),
    ...(axes.length > 1 && {
      nextXAxis: () =>
        store.dispatch({ type: 'chose', choices: { x: neighborOf(axes, axis, 1), zoom: null } }),
    }),
    ...(metrics.length > 1 && {
      nextMetric: () =>
        store.dispatch({ type: 'chose', choices: { metrics: [neighborOf(metrics, metric.name, 1)] } }),
    }),
  };
}

function cursorCommands({ context, store }: ComparePage): Commands {
  const { state } = store;
  const series = shownSeries(state);
  const move = (to: (at: number) => number | null) => () => {
    const latest = nearestPlace(series, Number.POSITIVE_INFINITY);
    const cursor = state.cursor === null ? latest : (to(state.cursor) ?? state.cursor);
    if (cursor !== null) store.dispatch({ type: 'cursor', cursor });
  };
  const byColumns = (distance: number) =>
    move(at =>
      placeByColumns(
        series.map(run => run.series),
        at,
        distance,
        chartOf(store, context),
      ),
    );
  return {
    cursorLeft: byColumns(-1),
    cursorRight: byColumns(1),
    cursorFarLeft: byColumns(-FAR_COLUMNS),
    cursorFarRight: byColumns(FAR_COLUMNS),
    cursorStepLeft: move(at => movePlace('ArrowLeft', series, at)),
    cursorStepRight: move(at => movePlace('ArrowRight', series, at)),
  };
}

function zoomCommands({ context, store }: ComparePage): Commands {
  const { state } = store;
  const { zoom } = state.choices;
  const by = (direction: 1 | -1) => () => {
    const { minStep: from, maxStep: to } = chartOf(store, context);
    const whole = comparedChartOf(
      { ...state, choices: { ...state.choices, zoom: null } },
      { width: 0, height: 0 },
      context.canvas.glyphs,
    );
    const range = zoomBy(
      { from: whole.minStep, to: whole.maxStep },
      { from, to },
      state.cursor ?? to,
      direction,
    );
    store.dispatch({ type: 'chose', choices: { zoom: range } });
  };
  return {
    zoomIn: by(1),
    ...(zoom && {
      zoomOut: by(-1),
      resetZoom: () => store.dispatch({ type: 'chose', choices: { zoom: null } }),
    }),
  };
}

function chartOf({ state }: ComparePageStore, { canvas }: Context) {
  return comparedChartOf(state, layOutCompare(state, Date.now(), canvas).chart, canvas.glyphs);
}
