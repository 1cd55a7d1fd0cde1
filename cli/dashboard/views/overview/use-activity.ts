// What goes on in the project, whoever began it, with the losses of the first run live.
import { useEffect } from 'react';
import { watchJob } from '../../../../lib/client/index.js';
import {
  activityRows,
  initialJobView,
  type JobAction,
  type JobView,
  reduceJobView,
  type Span,
} from '../../../../lib/console/index.js';
import { useDashboard, useKept } from '../../dashboard-context.js';
import { POLL_MS, useFetched } from '../../hooks/fetched.js';
import { useGlyphs } from '../../terminal/look.js';

/** As many rows as fit, those under way first. */
export function useActivity(width: number, most: number): Span[][] {
  const { clock } = useDashboard();
  const signs = useGlyphs();
  // The title shows whether Studio and the cloud are up; what was known stays.
  const { value } = useFetched('activity', ({ client, signal }) => client.getOverview({ signal }), {
    everyMs: POLL_MS,
  });
  const watched = value?.running.find(({ status }) => status === 'running')?.id ?? null;
  const losses = useLosses(watched);
  if (!value) return [];
  const rows = activityRows(value, { watched, losses, now: new Date(clock.now()), width, signs });
  return rows.slice(0, Math.max(0, most));
}

/** The losses of a run, live; where there is no room for them they are few. */
function useLosses(id: string | null): JobView['training'] | null {
  const { client, openEventSource } = useDashboard();
  const [job, store] = useKept<JobView, JobAction>(`losses ${id}`, reduceJobView, initialJobView);
  useEffect(() => {
    if (id === null) return;
    return watchJob(
      id,
      {
        onEvents: parts => store.dispatchLater({ type: 'events', parts }),
        onInterrupted() {},
        onEnd() {},
        onRefused() {},
      },
      { ...client, openEventSource },
    );
  }, [id, store, client, openEventSource]);
  return id === null ? null : job.training;
}
