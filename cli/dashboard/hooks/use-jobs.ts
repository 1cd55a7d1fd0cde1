// Keeps a job, or the list of jobs, up to date.
import { useEffect, useMemo } from 'react';
import { watchJob } from '../../../lib/client/index.js';
import type { Timer } from '../../../lib/clock/index.js';
import {
  errorText,
  initialJobView,
  isSilent,
  type JobAction,
  type JobView,
  reduceJobView,
} from '../../../lib/console/index.js';
import type { JobSummary } from '../../../lib/contract/index.js';
import { type Dashboard, useDashboard } from '../dashboard-context.js';
import { createStore, merged, useStore } from '../state/store.js';
import { POLL_MS, useFetched, useKeptResponse, usePoll } from './fetched.js';

interface JobState {
  readonly job: JobView;
  readonly problem: string | null;
}

/** While a stream is silent, only every third poll sends a request, since a run may be quiet for long. */
const SILENT_POLLS = 3;
/** Batches of this size or more are past events; they are drawn once no more arrive. */
const MANY = 20;
const SETTLED_MS = 40;

/**
 * Follows a job's event stream, and polls the job while the stream does not report its status. Restarts for
 * another job and when the component is mounted again. Until fresh data arrives, shows the job as listed.
 */
export function useJob(id: string) {
  const dashboard = useDashboard();
  const { store, refresh, poll, stream } = useMemo(() => createJobUpdates(dashboard, id), [dashboard, id]);
  useEffect(stream, [stream]);
  usePoll(poll);
  const state = useStore(store);
  const listed = useKnownJobs()?.find(job => job.id === id);
  const job = useMemo(
    () => (state.job.polled || !listed ? state.job : { ...state.job, polled: listed }),
    [state.job, listed],
  );
  return { ...state, job, refresh };
}

function createJobUpdates({ client, clock, openEventSource, reach, signal }: Dashboard, id: string) {
  const store = createStore(merged<JobState>, { job: initialJobView, problem: null }, clock);
  const after = (action: JobAction) => ({ job: reduceJobView(store.state.job, action) });
  let eventsBefore = 0;
  let silentPolls = 0;
  let settled: Timer | undefined;

  async function refresh(): Promise<void> {
    try {
      const { job } = await reach(client.getJob(id, { signal }), true);
      store.dispatch({ ...after({ type: 'polled', job }), problem: null });
    } catch (error) {
      if (!signal.aborted) store.dispatch({ problem: errorText(error) });
    }
  }

  async function poll(): Promise<void> {
    const { job } = store.state;
    const isUnknown = job.polled === null || job.streamed === null || job.interrupted;
    silentPolls = isSilent(job, eventsBefore) ? silentPolls + 1 : 0;
    if (isUnknown || silentPolls % SILENT_POLLS === 1) await refresh();
    eventsBefore = job.eventCount;
  }

  /** Opens the stream and returns a function that closes it. */
  const stream = () =>
    watchJob(
      id,
      {
        onEvents(parts) {
          const { eventCount } = store.state.job;
          store.dispatchLater(after({ type: 'events', parts }));
          settled?.stop();
          if (store.state.job.eventCount - eventCount >= MANY) settled = clock.after(SETTLED_MS, store.flush);
          void reach(Promise.resolve(), true);
        },
        onInterrupted() {
          store.dispatch(after({ type: 'interrupted' }));
          void refresh();
        },
        onEnd: () => void refresh(),
        onRefused: error => store.dispatch({ problem: error.message }),
      },
      { ...client, openEventSource, clock },
    );

  return { store, refresh, poll, stream };
}

const NAME = 'jobs';

/** The jobs list, polled while a view uses it. Null until loaded. */
export function useJobs() {
  const { value: jobs, ...rest } = useFetched(
    NAME,
    async ({ client, signal }) => (await client.listJobs({ signal })).jobs,
    { everyMs: POLL_MS },
  );
  return { jobs, ...rest };
}

/** The jobs as last fetched for any view; fetches nothing. */
export const useKnownJobs = () => useKeptResponse<readonly JobSummary[]>(NAME)[0].value;
