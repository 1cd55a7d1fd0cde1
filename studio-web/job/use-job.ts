// Watches one job live: feeds its event stream into the view model. EventSource reconnects by itself. A hidden tab reads
// the log now and then instead, so that its title stays current.
import { onUnmounted, shallowRef } from 'vue';
import { type JobHandlers, watchJob } from '../../lib/client/index.js';
import { initialJobView, isSilent, type JobAction, reduceJobView } from '../../lib/console/index.js';
import { type ApiError, countEvents, type Job } from '../../lib/contract/index.js';
import { knownJob } from '../jobs/use-jobs.js';
import { usePoll } from '../live.js';
import { studio, watching } from '../studio.js';
import { useLog } from './use-log.js';
import { useHiddenTab, useUpdates } from './use-stream.js';

export function useJob(id: string) {
  const known = knownJob(id);
  const { state: view, update } = useUpdates(
    known ? reduceJobView(initialJobView, { type: 'polled', job: known }) : initialJobView,
  );
  const refusal = shallowRef<ApiError>();
  const closed = new AbortController();
  let stop: (() => void) | undefined;
  let isOver = false;

  const dispatch = (action: JobAction, events?: number) =>
    update(current => reduceJobView(current, action), events);

  const handlers: JobHandlers = {
    onEvents: parts => dispatch({ type: 'events', parts }, countEvents(parts)),
    onInterrupted() {
      dispatch({ type: 'interrupted' });
      void poll();
    },
    onEnd() {
      isOver = true;
      void poll();
    },
    onRefused(error) {
      isOver = true;
      refusal.value = error;
    },
  };

  function open(): void {
    const { cursor } = update(current => current);
    try {
      stop = watchJob(id, handlers, { ...watching, after: cursor || undefined });
    } catch (error) {
      // The ID in the URL is malformed.
      handlers.onRefused(error as ApiError);
    }
  }

  /** Fetches what the stream lacks: the name, and the status before the first event. */
  async function poll(): Promise<void> {
    try {
      const { job } = await studio.getJob(id, { signal: closed.signal });
      dispatch({ type: 'polled', job });
    } catch {
      // The stream runs into the same problem and reports it.
      return;
    }
  }

  const log = useLog(
    id,
    () => update(same => same).cursor,
    parts => {
      handlers.onEvents(parts);
      if (parts.some(({ event }) => event === 'end')) handlers.onEnd();
    },
  );

  let eventsBefore = 0;
  usePoll(() => {
    if (refusal.value) return;
    const current = update(same => same);
    if (!stop && !isOver) void log.read();
    else if (isSilent(current, eventsBefore)) void poll();
    eventsBefore = current.eventCount;
  });

  function close(): void {
    stop?.();
    stop = undefined;
  }

  open();
  void poll();
  useHiddenTab({
    onLongHidden: close,
    onShown() {
      if (stop || isOver) return;
      log.stop();
      open();
      void poll();
    },
  });
  onUnmounted(() => {
    closed.abort();
    close();
  });
  return { view, refusal, accept: (job: Job) => dispatch({ type: 'polled', job }) };
}
