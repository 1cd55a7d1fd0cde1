// The commands of a job's page: the chart's cursor and modes, the pages and the log.
import {
  chartableMetrics,
  hasFinalAdapter,
  nearestStep,
  neighborStep,
  nextAxis,
  nextLogType,
  stepByColumns,
  stepOfX,
  xOfStep,
  zoomBy,
} from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context } from '../../core/context.js';
import { editCommands } from '../../core/edit-job.js';
import type { Scroller } from '../../core/scroller.js';
import { axisOf, chartOf, plottedPair, shownPair } from './chart-panel.js';
import { pagesOf, roomOf } from './draw.js';
import type { JobUpdates } from './job-updates.js';
import { statisticsPage } from './layout.js';
import { openNeighbor } from './neighbors.js';
import { nextSampleStep, sampleStep } from './sample-lines.js';
import type { JobPageStore } from './state.js';

interface JobPage {
  readonly context: Context;
  readonly store: JobPageStore;
  readonly scroller: Scroller;
  readonly updates: JobUpdates;
  shownJobs(): readonly JobSummary[];
}

const FAR_COLUMNS = 10;

export function jobCommands({ context, store, scroller, updates, shownJobs }: JobPage): Commands {
  const { id, page, cursor } = store.state;
  const pages = pagesOf(store.state, context.canvas);
  return {
    ...scroller.commands,
    refresh: () => void updates.refresh(),
    previousJob: () => void openNeighbor(context, store, -1, shownJobs()),
    nextJob: () => void openNeighbor(context, store, 1, shownJobs()),
    copy: () => context.copy(id, 'the job ID'),
    ...cursorCommands(store, context),
    showRows: () => context.go({ tab: 'jobs', id, rows: 'all' }),
    ...(hasFinalAdapter(store.state.job) && {
      chat: () => context.go({ tab: 'playground', id: null, job: id }),
      publish: () => context.go({ tab: 'endpoints', id: null, job: id }),
    }),
    ...(cursor !== null && { showStepRows: () => context.go({ tab: 'jobs', id, rows: cursor }) }),
    toggleAdvanced: () => toggleAdvanced(store, context),
    ...chartCommands(store, context),
    ...logCommands(store, context, scroller),
    ...sampleCommands(store, scroller),
    ...(store.state.job.polled &&
      editCommands(context, store.state.job.polled, () => void updates.refresh())),
    ...(pages.length > 1 && {
      nextPage: () => store.dispatch({ type: 'page', page: (page + 1) % pages.length }),
    }),
  };
}

function chartCommands(store: JobPageStore, context: Context): Commands {
  const { state } = store;
  const { job, choices, metric } = state;
  const metrics = chartableMetrics(job.metrics);
  const axis = axisOf(state);
  const zoom = (direction: 1 | -1) => () => {
    const chart = shownChart(store, context);
    const whole = chartOf({ ...state, choices: { ...choices, zoom: null } }, NO_ROOM, context.canvas.glyphs);
    const shown = { from: chart.minStep, to: chart.maxStep };
    const cursor = state.cursor === null ? undefined : xOfStep(job.metrics, axis, state.cursor);
    const range = zoomBy({ from: whole.minStep, to: whole.maxStep }, shown, cursor ?? shown.to, direction);
    store.dispatch({ type: 'chose', choices: { zoom: range } });
  };
  return {
    toggleLog: () => store.dispatch({ type: 'toggle', what: 'isLog' }),
    toggleSmooth: () => store.dispatch({ type: 'toggle', what: 'isSmooth' }),
    toggleOutliers: () => store.dispatch({ type: 'toggle', what: 'ignoresOutliers' }),
    togglePlannedEnd: () => store.dispatch({ type: 'toggle', what: 'toPlannedEnd' }),
    ...(nextAxis(job.metrics, axis) !== axis && {
      nextXAxis: () =>
        store.dispatch({ type: 'chose', choices: { x: nextAxis(job.metrics, axis), zoom: null } }),
    }),
    ...(metrics.length > 0 && {
      nextMetric: () =>
        store.dispatch({ type: 'metric', metric: metrics[metrics.indexOf(metric) + 1] ?? 'loss' }),
    }),
    zoomIn: zoom(1),
    ...(choices.zoom && {
      zoomOut: zoom(-1),
      resetZoom: () => store.dispatch({ type: 'chose', choices: { zoom: null } }),
    }),
  };
}

/** The stretch that a chart shows does not depend on its room. */
const NO_ROOM = { width: 0, height: 0 };

function shownChart({ state }: JobPageStore, { canvas }: Context) {
  return chartOf(state, roomOf('chart', state, canvas), canvas.glyphs);
}

function logCommands(store: JobPageStore, context: Context, scroller: Scroller): Commands {
  const { job, logChoices } = store.state;
  const choose = (choices: Partial<typeof logChoices>) => {
    store.dispatch({ type: 'log', choices });
    scroller.reset();
  };
  return {
    search: () =>
      context.prompt({
        scope: 'search',
        label: '/',
        value: logChoices.search,
        change: search => choose({ search }),
        submit: () => null,
        leave() {
          choose({ search: '' });
          return false;
        },
      }),
    nextFilter: () => choose({ type: nextLogType(job.log, logChoices.type) }),
    toggleTimes: () => choose({ showsTime: !logChoices.showsTime }),
    toggleReadable: () => choose({ isReadable: !logChoices.isReadable }),
  };
}

function sampleCommands(store: JobPageStore, scroller: Scroller): Commands {
  const { state } = store;
  if (sampleStep(state) === null) return {};
  const show = (step: number) => () => {
    store.dispatch({ type: 'sampleStep', step });
    scroller.commands.toStart?.();
  };
  const [before, after] = [nextSampleStep(state, -1), nextSampleStep(state, 1)];
  return {
    toggleSamples() {
      store.dispatch({ type: 'toggledSamples' });
      if (store.state.showsSamples) scroller.commands.toStart?.();
      else scroller.reset();
    },
    ...(state.showsSamples && before !== null && { previousSample: show(before) }),
    ...(state.showsSamples && after !== null && { nextSample: show(after) }),
  };
}

function cursorCommands(store: JobPageStore, context: Context): Commands {
  const { state } = store;
  const pair = shownPair(state);
  const bySteps = (direction: -1 | 1) => () => moveCursor(store, step => neighborStep(pair, step, direction));
  const byColumns = (distance: number) => () =>
    moveCursor(store, step => {
      const { metrics } = state.job;
      const axis = axisOf(state);
      const from = xOfStep(metrics, axis, step);
      if (from === undefined) return neighborStep(pair, step, distance < 0 ? -1 : 1);
      const x = stepByColumns(plottedPair(state), from, distance, shownChart(store, context));
      return x === null ? null : stepOfX(metrics, axis, x);
    });
  return {
    cursorLeft: byColumns(-1),
    cursorRight: byColumns(1),
    cursorFarLeft: byColumns(-FAR_COLUMNS),
    cursorFarRight: byColumns(FAR_COLUMNS),
    cursorStepLeft: bySteps(-1),
    cursorStepRight: bySteps(1),
  };
}

/** Starts at the latest point. */
function moveCursor(store: JobPageStore, move: (step: number) => number | null): void {
  const { cursor } = store.state;
  const latest = nearestStep(shownPair(store.state), Number.POSITIVE_INFINITY);
  const step = cursor === null ? latest : (move(cursor) ?? cursor);
  if (step !== null) store.dispatch({ type: 'cursor', step });
}

/** Turning it on also goes to the page with the statistics. */
function toggleAdvanced(store: JobPageStore, { canvas }: Context): void {
  store.dispatch({ type: 'toggledAdvanced' });
  if (!store.state.isAdvanced) return;
  store.dispatch({ type: 'page', page: statisticsPage(pagesOf(store.state, canvas)) });
}
