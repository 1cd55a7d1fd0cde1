// Keeps the shown job up to date: its event stream, and the job itself while the stream does not tell its status.
import { watchJob } from '../../../../lib/client/index.js';
import { isSilent, type JobAction } from '../../../../lib/console/index.js';
import type { Context } from '../../core/context.js';
import { toMessage } from '../../core/fetched.js';
import { createPoll, type Poll } from '../../core/poll.js';
import type { JobPageStore } from './state.js';

export interface JobUpdates extends Poll {
  refresh(): Promise<void>;
}

/** Of the polls in which a stream stays silent, one in so many asks: a run may have nothing to say for long. */
const SILENT_POLLS = 3;

export function createJobUpdates(context: Context, store: JobPageStore): JobUpdates {
  const refresh = () => fetchJob(context, store);
  let eventsBefore = 0;
  let silentPolls = 0;
  const poll = createPoll(context.clock, async () => {
    const { streamed, interrupted, polled, eventCount } = store.state.job;
    const isUnknown = polled === null || streamed === null || interrupted;
    silentPolls = isSilent(store.state.job, eventsBefore) ? silentPolls + 1 : 0;
    if (isUnknown || silentPolls % SILENT_POLLS === 1) await refresh();
    eventsBefore = eventCount;
  });
  let stopStream = () => {};
  return {
    refresh,
    start() {
      stopStream = streamEvents(context, store);
      poll.start();
    },
    stop() {
      stopStream();
      poll.stop();
    },
  };
}

async function fetchJob({ client, reach, signal }: Context, store: JobPageStore): Promise<void> {
  const { id } = store.state;
  try {
    const { job } = await reach(client.getJob(id, { signal }), true);
    if (id !== store.state.id) return;
    store.dispatch({ type: 'job', action: { type: 'polled', job } });
    store.dispatch({ type: 'problem', problem: null });
  } catch (error) {
    if (!signal.aborted && id === store.state.id)
      store.dispatch({ type: 'problem', problem: toMessage(error) });
  }
}

function streamEvents(context: Context, store: JobPageStore): () => void {
  const { client, openEventSource, reach } = context;
  const dispatch = (action: JobAction) => store.dispatch({ type: 'job', action });
  return watchJob(
    store.state.id,
    {
      onFrames: frames => {
        dispatch({ type: 'frames', frames });
        void reach(Promise.resolve(), true);
      },
      onInterrupted: () => {
        dispatch({ type: 'interrupted' });
        void fetchJob(context, store);
      },
      onEnd: () => void fetchJob(context, store),
      onRefused: error => store.dispatch({ type: 'problem', problem: error.message }),
    },
    { openEventSource, getJob: (job, options) => client.getJob(job, options) },
  );
}
