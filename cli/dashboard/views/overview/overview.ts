// The overview: the project's trainer, the run and its output. Reads the manifest once; a refresh reads it again.
import { RUN_POLL_MS, START_COMMAND } from '../../../../lib/console/index.js';
import type { TrainStatus } from '../../../../lib/contract/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { createPoll } from '../../core/poll.js';
import { createScroller } from '../../core/scroller.js';
import { createStore } from '../../core/store.js';
import { outputSource } from '../../drawing/output-text.js';
import { createActivity } from './activity.js';
import { drawOverview, outputSize, overviewStatus } from './draw.js';
import { initialOverview, type OverviewState, reduceOverview } from './state.js';
import { askStatus, type OverviewPage, readManifest, startRun } from './training.js';

export interface Overview extends View {
  readonly state: OverviewState;
  run(): void;
  /** The status of the run; null if it cannot be fetched. */
  askStatus(): Promise<TrainStatus | null>;
}

export function createOverview(context: Context): Overview {
  const store = createStore(reduceOverview, initialOverview, context.changed);
  const scroller = createScroller({
    source: () => outputSource(store.state.output, outputSize(store.state, context.canvas).width),
    height: () => outputSize(store.state, context.canvas).height,
    changed: context.changed,
  });
  const page = { context, store, scroller };
  const poll = createPoll(context.clock, () => askStatus(page), RUN_POLL_MS);
  const activity = createActivity(context, store);
  let hasManifest = false;

  return {
    scopes: ['overview', 'anywhere'],
    commands: () => overviewCommands(page),
    enter() {
      if (!hasManifest) void readManifest(page);
      hasManifest = true;
      poll.start();
      activity.start();
    },
    leave() {
      poll.stop();
      activity.stop();
    },
    draw: canvas => drawOverview(store.state, scroller.rows(), canvas),
    foot: canvas => overviewStatus(store.state, scroller.isFollowing, canvas),
    get state() {
      return store.state;
    },
    run: () => startRun(page),
    askStatus: () => askStatus(page),
  };
}

function overviewCommands(page: OverviewPage): Commands {
  const { context, store, scroller } = page;
  const jobId = store.state.status?.jobId ?? null;
  const isNew = store.state.action?.kind === 'new';
  return {
    ...(isNew && { copy: () => context.copy(START_COMMAND, 'the command') }),
    ...(store.state.output.lines.length > 0 && scroller.commands),
    showData: () => context.go({ tab: 'overview', id: null, data: true }),
    // Its key copies the command while there is no project.
    ...(!isNew && { showCluster: () => context.go({ tab: 'overview', id: null, cluster: true }) }),
    refresh: () => void Promise.all([readManifest(page), askStatus(page)]),
    ...(jobId !== null && {
      openChosen: () => context.go({ tab: 'jobs', id: jobId }),
      copy: () => context.copy(jobId, "the job's ID"),
    }),
  };
}
