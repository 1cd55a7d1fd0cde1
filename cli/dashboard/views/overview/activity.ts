// What goes on in the project, whoever began it: fetched every few seconds, with the losses of the first run live.
import { watchJob } from '../../../../lib/client/index.js';
import type { JobAction } from '../../../../lib/console/index.js';
import type { Context } from '../../core/context.js';
import { createPoll, type Poll } from '../../core/poll.js';
import type { OverviewStore } from './state.js';

export function createActivity(context: Context, store: OverviewStore): Poll {
  const { client, openEventSource, reach, signal } = context;
  let watched: string | null = null;
  let stopWatch = () => {};

  function watch(id: string | null): void {
    if (id === watched) return;
    stopWatch();
    stopWatch = () => {};
    watched = id;
    store.dispatch({ type: 'watched', id });
    if (id === null) return;
    const tell = (action: JobAction) => store.dispatch({ type: 'losses', id, action });
    stopWatch = watchJob(
      id,
      {
        onFrames: frames => tell({ type: 'frames', frames }),
        onInterrupted() {},
        onEnd() {},
        onRefused() {},
      },
      { openEventSource, getJob: (job, options) => client.getJob(job, options) },
    );
  }

  const poll = createPoll(context.clock, async () => {
    try {
      const overview = await reach(client.getOverview({ signal }));
      store.dispatch({ type: 'activity', overview });
      watch(overview.running.find(({ status }) => status === 'running')?.id ?? null);
    } catch {
      // The title shows whether Studio and the cloud are up; what was known stays.
      return;
    }
  });
  return {
    start: poll.start,
    stop() {
      poll.stop();
      watch(null);
    },
  };
}
