// Leafs through jobs from a job's page: in the list as it was shown or, for a job that is not in it, in the whole list.
import { listWith, NO_NEIGHBOR, neighborJob } from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import type { Context } from '../../core/context.js';
import { toMessage } from '../../core/fetched.js';
import type { JobPageStore } from './state.js';

export async function openNeighbor(
  context: Context,
  store: JobPageStore,
  direction: -1 | 1,
  shown: readonly JobSummary[],
): Promise<void> {
  const { client, reach, signal } = context;
  const { id } = store.state;
  try {
    const rows = listWith(id, [shown]) ?? (await reach(client.listJobs({ signal }))).jobs;
    if (id !== store.state.id) return;
    const next = neighborJob(rows, id, direction);
    if (next === null) context.notify(NO_NEIGHBOR[direction]);
    else context.replace({ tab: 'jobs', id: next });
  } catch (error) {
    if (!signal.aborted) context.notify(toMessage(error), 'failed');
  }
}
