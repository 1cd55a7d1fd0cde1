// The behavior of a job's page: watches its events while shown, and moves the chart's cursor and the log.
import { watchJob } from '../../../../lib/client/index.js';
import {
  isSilent,
  type JobAction,
  nearestStep,
  neighbourStep,
  stepByColumns,
} from '../../../../lib/console/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { toMessage } from '../../core/fetched.js';
import { createPoll } from '../../core/poll.js';
import { createScroller } from '../../core/scroller.js';
import { createStore } from '../../core/store.js';
import { chartOf } from './chart-panel.js';
import { drawJob, jobStatus, pagesOf, roomOf } from './draw.js';
import { statisticsPage } from './layout.js';
import { logSource } from './log-drawing.js';
import { initialJobPage, reduceJobPage } from './state.js';

const FAR_COLUMNS = 10;

export function createJob(context: Context): View {
  const { client, openEventSource, changed } = context;
  const store = createStore(reduceJobPage, initialJobPage, changed);
  const scroller = createScroller({
    source: () => logSource(store.state.job.log, room('log').width),
    height: () => room('log').height,
    changed,
  });
  let eventsBefore = 0;
  // The stream reports everything; the job itself is only fetched while the stream does not tell its status.
  const poll = createPoll(async () => {
    const { streamed, interrupted, polled, eventCount } = store.state.job;
    const isUnknown = polled === null || streamed === null || interrupted;
    if (isUnknown || isSilent(store.state.job, eventsBefore)) await askForJob();
    eventsBefore = eventCount;
  });
  let stop = () => {};

  const take = (action: JobAction) => store.dispatch({ type: 'job', action });
  const room = (part: 'chart' | 'log') =>
    roomOf(part, store.state, context.canvas) ?? { width: context.canvas.width - 4, height: 1 };

  async function askForJob(): Promise<void> {
    const { id } = store.state;
    try {
      const { job } = await context.reach(client.getJob(id, { signal: context.signal }), true);
      if (id !== store.state.id) return;
      take({ type: 'polled', job });
      store.dispatch({ type: 'problem', problem: null });
    } catch (error) {
      if (!context.signal.aborted && id === store.state.id)
        store.dispatch({ type: 'problem', problem: toMessage(error) });
    }
  }

  function watch(id: string): void {
    stop = watchJob(
      id,
      {
        onFrame: frame => {
          take({ type: 'frame', frame });
          void context.reach(Promise.resolve(), true);
        },
        onInterrupted: () => {
          take({ type: 'interrupted' });
          void askForJob();
        },
        onEnd: () => void askForJob(),
        onRefused: error => store.dispatch({ type: 'problem', problem: error.message }),
      },
      { openEventSource, getJob: (job, options) => client.getJob(job, options) },
    );
  }

  /** Starts at the latest point. */
  function moveCursor(move: (step: number) => number | null): void {
    const { job, cursor } = store.state;
    const latest = nearestStep(job, Number.POSITIVE_INFINITY);
    const step = cursor === null ? latest : (move(cursor) ?? cursor);
    if (step !== null) store.dispatch({ type: 'cursor', step });
  }

  function byColumns(distance: number): void {
    const { job } = store.state;
    moveCursor(step => stepByColumns(job, step, distance, chartOf(store.state, room('chart'))));
  }

  const bySteps = (direction: -1 | 1) => moveCursor(step => neighbourStep(store.state.job, step, direction));

  function commands(): Commands {
    const { id, page } = store.state;
    const pages = pagesOf(store.state, context.canvas);
    return {
      ...scroller.commands,
      refresh: () => void askForJob(),
      copy: () => context.copy(id, 'the job ID'),
      cursorLeft: () => byColumns(-1),
      cursorRight: () => byColumns(1),
      cursorFarLeft: () => byColumns(-FAR_COLUMNS),
      cursorFarRight: () => byColumns(FAR_COLUMNS),
      cursorStepLeft: () => bySteps(-1),
      cursorStepRight: () => bySteps(1),
      toggleAdvanced,
      toggleLog: () => store.dispatch({ type: 'toggle', what: 'isLog' }),
      toggleSmooth: () => store.dispatch({ type: 'toggle', what: 'isSmooth' }),
      ...(pages.length > 1 && {
        nextPage: () => store.dispatch({ type: 'page', page: (page + 1) % pages.length }),
      }),
    };
  }

  /** Turning it on also goes to the page with the statistics. */
  function toggleAdvanced(): void {
    store.dispatch({ type: 'toggle', what: 'isAdvanced' });
    if (!store.state.isAdvanced) return;
    store.dispatch({ type: 'page', page: statisticsPage(pagesOf(store.state, context.canvas)) });
  }

  return {
    scopes: ['job', 'anywhere'],
    commands,
    enter(id) {
      store.dispatch({ type: 'opened', id: id ?? '' });
      scroller.reset();
      watch(store.state.id);
      poll.start();
    },
    leave() {
      stop();
      poll.stop();
    },
    draw: canvas => drawJob(store.state, scroller.rows(), canvas),
    foot: () => jobStatus(store.state, scroller.isFollowing),
  };
}
