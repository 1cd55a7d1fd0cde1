// A job, kept up to date: its event stream, and the job itself while the stream does not tell its status.
import { useEffect, useMemo } from 'react';
import { watchJob } from '../../../lib/client/index.js';
import {
  initialJobView,
  isSilent,
  type JobAction,
  type JobView,
  reduceJobView,
} from '../../../lib/console/index.js';
import { type Dashboard, useDashboard } from '../dashboard-context.js';
import { createStore, merged, useStore } from '../state/store.js';
import { toMessage } from './fetched.js';
import { usePoll } from './poll.js';

interface JobState {
  readonly job: JobView;
  readonly problem: string | null;
}

/** Of the polls in which a stream stays silent, one in so many asks: a run may have nothing to say for long. */
const SILENT_POLLS = 3;
/** What was logged before comes with so many events at a time: it is drawn sooner, but not for each of them. */
const MANY = 20;
const CATCH_UP_MS = 333;

/** Starts anew for another job, and when the component comes back. */
export function useJob(id: string) {
  const dashboard = useDashboard();
  const { store, refresh, poll, stream } = useMemo(() => createJobUpdates(dashboard, id), [dashboard, id]);
  useEffect(stream, [stream]);
  usePoll(poll);
  return { ...useStore(store), refresh };
}

function createJobUpdates({ client, clock, openEventSource, reach, signal }: Dashboard, id: string) {
  const store = createStore(merged<JobState>, { job: initialJobView, problem: null }, clock);
  const after = (action: JobAction) => ({ job: reduceJobView(store.state.job, action) });
  let eventsBefore = 0;
  let silentPolls = 0;

  async function refresh(): Promise<void> {
    try {
      const { job } = await reach(client.getJob(id, { signal }), true);
      store.dispatch({ ...after({ type: 'polled', job }), problem: null });
    } catch (error) {
      if (!signal.aborted) store.dispatch({ problem: toMessage(error) });
    }
  }

  async function poll(): Promise<void> {
    const { job } = store.state;
    const isUnknown = job.polled === null || job.streamed === null || job.interrupted;
    silentPolls = isSilent(job, eventsBefore) ? silentPolls + 1 : 0;
    if (isUnknown || silentPolls % SILENT_POLLS === 1) await refresh();
    eventsBefore = job.eventCount;
  }

  /** Returns what stops it. */
  const stream = () =>
    watchJob(
      id,
      {
        onFrames(frames) {
          const isCatchingUp = frames.length >= MANY;
          store.dispatchLater(after({ type: 'frames', frames }), isCatchingUp ? CATCH_UP_MS : undefined);
          void reach(Promise.resolve(), true);
        },
        onInterrupted() {
          store.dispatch(after({ type: 'interrupted' }));
          void refresh();
        },
        onEnd: () => void refresh(),
        onRefused: error => store.dispatch({ problem: error.message }),
      },
      { openEventSource, getJob: (job, options) => client.getJob(job, options), clock },
    );

  return { store, refresh, poll, stream };
}
