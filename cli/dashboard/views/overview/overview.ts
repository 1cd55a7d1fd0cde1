// The behavior of the overview: reads the manifest once, and starts a run or follows one that was started elsewhere.
import { RUN_POLL_MS } from '../../../../lib/console/index.js';
import { ApiError, type TrainStatus } from '../../../../lib/contract/index.js';
import type { Context, View } from '../../core/context.js';
import { toMessage } from '../../core/fetched.js';
import { createPoll } from '../../core/poll.js';
import { createScroller } from '../../core/scroller.js';
import { createStore } from '../../core/store.js';
import { outputSource } from '../../drawing/output-text.js';
import { drawOverview, outputSize, overviewStatus } from './draw.js';
import { hasUnreadRun, initialOverview, isReady, reduceOverview } from './state.js';

export interface Overview extends View {
  readonly canRun: boolean;
  run(): void;
  /** The status of the run; null if it cannot be fetched. */
  askStatus(): Promise<TrainStatus | null>;
  readonly status: TrainStatus | null;
  readonly trainerName: string | null;
}

const SLOW_MS = 150;

export function createOverview(context: Context): Overview {
  const { client, signal } = context;
  const store = createStore(reduceOverview, initialOverview, context.changed);
  const poll = createPoll(askStatus, RUN_POLL_MS);
  const scroller = createScroller({
    source: () => outputSource(store.state.output, outputSize(store.state, context.canvas).width),
    height: () => outputSize(store.state, context.canvas).height,
    changed: context.changed,
  });
  let hasManifest = false;

  async function readManifest(): Promise<void> {
    store.dispatch({ type: 'reading' });
    const slow = setTimeout(() => store.dispatch({ type: 'slow' }), SLOW_MS);
    try {
      const manifest = await context.reach(client.getManifest({ signal }), false);
      store.dispatch({ type: 'manifest', manifest });
    } catch (error) {
      if (!signal.aborted) store.dispatch({ type: 'broken', problem: toMessage(error) });
    } finally {
      clearTimeout(slow);
    }
  }

  async function askStatus(): Promise<TrainStatus | null> {
    try {
      const status = await context.reach(client.getTrainStatus({ signal }), false);
      store.dispatch({ type: 'status', status });
      // A run that has a job has also created the project.
      if (status.jobId !== null) context.refreshIdentity();
      if (hasUnreadRun(store.state)) void follow(client.streamTrainOutput({ signal }), status.startedAt);
      return status;
    } catch {
      // The title shows whether Studio is up, and the next poll fetches the status again.
      return null;
    }
  }

  function run(): void {
    if (!isReady(store.state)) {
      context.notify(whyNot(), 'warning');
      return;
    }
    store.dispatch({ type: 'asked' });
    void follow(client.startTraining({ signal }), null);
  }

  async function follow(asked: Promise<Response>, startedAt: string | null): Promise<void> {
    try {
      const response = await context.reach(asked, false);
      scroller.reset();
      if (startedAt === null) store.dispatch({ type: 'begun', at: new Date().toISOString() });
      store.dispatch({ type: 'followed', startedAt: startedAt ?? (await askStart()) });
      await print(response);
      store.dispatch({ type: 'ended' });
    } catch (error) {
      if (signal.aborted) return;
      store.dispatch({ type: 'refused', problem: toMessage(error) });
      // Another run is in progress, or the stream broke off: the current run can be followed from its start.
      if (error instanceof ApiError && error.code !== 'train_in_flight') return;
    }
    await askStatus();
    context.refreshIdentity();
  }

  /** The start time of the run that was started here. */
  async function askStart(): Promise<string | null> {
    const status = await client.getTrainStatus({ signal });
    store.dispatch({ type: 'status', status });
    return status.startedAt;
  }

  async function print(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      store.dispatch({ type: 'printed', text: decoder.decode(bytes as Uint8Array, { stream: true }) });
      // The job exists before the run prints much.
      if (store.state.status?.jobId === null) void askStatus();
    }
  }

  function whyNot(): string {
    const { action, status, busy } = store.state;
    if (busy || status?.running) return 'A run is already in progress. Wait until it ends.';
    return action && action.kind !== 'ready' ? action.message : 'The trainer has not loaded yet.';
  }

  return {
    scopes: ['overview', 'anywhere'],
    commands() {
      const jobId = store.state.status?.jobId ?? null;
      return {
        ...(store.state.output.lines.length > 0 && scroller.commands),
        refresh: () => void Promise.all([readManifest(), askStatus()]),
        ...(jobId !== null && {
          openChosen: () => context.go({ place: 'jobs', id: jobId }),
          copy: () => context.copy(jobId, "the job's ID"),
        }),
      };
    },
    enter() {
      if (!hasManifest) void readManifest();
      hasManifest = true;
      poll.start();
    },
    leave: () => poll.stop(),
    draw: canvas => drawOverview(store.state, scroller.rows(), canvas),
    foot: canvas => overviewStatus(store.state, scroller.isFollowing, canvas),
    get canRun() {
      return isReady(store.state);
    },
    run,
    askStatus,
    get status() {
      return store.state.status;
    },
    get trainerName() {
      return store.state.trainer?.name ?? null;
    },
  };
}
