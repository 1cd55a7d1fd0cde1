// The commands of a job's page: the chart's cursor and modes, the pages and the log.
import { nearestStep, neighborStep, stepByColumns } from '../../../../lib/console/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context } from '../../core/context.js';
import type { Scroller } from '../../core/scroller.js';
import { chartOf } from './chart-panel.js';
import { pagesOf, roomOf } from './draw.js';
import type { JobUpdates } from './job-updates.js';
import { statisticsPage } from './layout.js';
import type { JobPageStore } from './state.js';

interface JobPage {
  readonly context: Context;
  readonly store: JobPageStore;
  readonly scroller: Scroller;
  readonly updates: JobUpdates;
}

const FAR_COLUMNS = 10;

export function jobCommands({ context, store, scroller, updates }: JobPage): Commands {
  const { id, page, cursor } = store.state;
  const pages = pagesOf(store.state, context.canvas);
  return {
    ...scroller.commands,
    refresh: () => void updates.refresh(),
    copy: () => context.copy(id, 'the job ID'),
    ...cursorCommands(store, context),
    showRows: () => context.go({ tab: 'jobs', id, rows: 'all' }),
    ...(cursor !== null && { showStepRows: () => context.go({ tab: 'jobs', id, rows: cursor }) }),
    toggleAdvanced: () => toggleAdvanced(store, context),
    toggleLog: () => store.dispatch({ type: 'toggle', what: 'isLog' }),
    toggleSmooth: () => store.dispatch({ type: 'toggle', what: 'isSmooth' }),
    ...(pages.length > 1 && {
      nextPage: () => store.dispatch({ type: 'page', page: (page + 1) % pages.length }),
    }),
  };
}

function cursorCommands(store: JobPageStore, context: Context): Commands {
  const { job } = store.state;
  const bySteps = (direction: -1 | 1) => () => moveCursor(store, step => neighborStep(job, step, direction));
  const byColumns = (distance: number) => () =>
    moveCursor(store, step => {
      const chart = chartOf(store.state, roomOf('chart', store.state, context.canvas));
      return stepByColumns(job, step, distance, chart);
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
  const { job, cursor } = store.state;
  const latest = nearestStep(job, Number.POSITIVE_INFINITY);
  const step = cursor === null ? latest : (move(cursor) ?? cursor);
  if (step !== null) store.dispatch({ type: 'cursor', step });
}

/** Turning it on also goes to the page with the statistics. */
function toggleAdvanced(store: JobPageStore, { canvas }: Context): void {
  store.dispatch({ type: 'toggle', what: 'isAdvanced' });
  if (!store.state.isAdvanced) return;
  store.dispatch({ type: 'page', page: statisticsPage(pagesOf(store.state, canvas)) });
}
