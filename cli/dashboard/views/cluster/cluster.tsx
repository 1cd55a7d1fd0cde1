// The cluster that the cloud trains on, opened from the overview: its totals, a row for each node with its
// jobs, and the waiting jobs.
import {
  clusterItems,
  clusterTitles,
  describeCluster,
  paragraphRows,
} from '../../../../lib/console/index.js';
import { useDashboard } from '../../dashboard-context.js';
import { POLL_MS, useFetched } from '../../hooks/fetched.js';
import { ListView } from '../../screen/view.js';
import { useRoom } from '../../terminal/look.js';

export function Cluster() {
  const { go, copy } = useDashboard();
  const { width } = useRoom();
  const { value, problem, isSlow, refresh } = useFetched(
    'cluster',
    ({ client, signal }) => client.getCluster({ signal }),
    { everyMs: POLL_MS },
  );
  const cluster = value?.cluster;
  const summary = cluster ? describeCluster(cluster) : null;
  const about = summary === null ? [] : paragraphRows(summary, width - 1);
  return (
    <ListView
      name="cluster"
      title="Cluster"
      aside={cluster?.url}
      problem={problem ?? cluster?.problem ?? null}
      above={about.map(row => [{ text: ` ${row}`, style: { dim: true } }])}
      columns={clusterTitles(width)}
      items={value ? clusterItems(value) : []}
      idOf={({ id }) => id}
      row={item => item.cells(width)}
      none={value && !cluster ? 'No cluster' : null}
      hint="The cloud trains on its own machine."
      isSlow={isSlow}
      scopes={[]}
      commands={({ item }) => {
        const jobId = item?.jobId ?? null;
        return {
          refresh,
          ...(jobId !== null && {
            openChosen: () => go({ tab: 'jobs', id: jobId }),
            copy: () => copy(jobId, 'the job ID'),
          }),
        };
      }}
    />
  );
}
