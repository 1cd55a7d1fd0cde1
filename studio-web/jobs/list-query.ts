// The search and filters of the jobs list: in the address of the page, and kept while the user looks at a job and comes
// back.
import { onUnmounted, type Ref, ref, watch } from 'vue';
import { type JobListQuery, queryAfter, readJobQuery, writeJobQuery } from '../../lib/console/index.js';
import { showInAddress } from '../use-location.js';

let latest = readJobQuery('');

/** What the address says wins. */
export function useListQuery(): Ref<JobListQuery> {
  const query = ref(queryAfter(window.location.hash, latest)) as Ref<JobListQuery>;
  watch(
    query,
    now => {
      latest = now;
      showInAddress(writeJobQuery(now));
    },
    { immediate: true },
  );
  const follow = () => {
    query.value = queryAfter(window.location.hash, query.value);
  };
  window.addEventListener('hashchange', follow);
  onUnmounted(() => window.removeEventListener('hashchange', follow));
  return query;
}
