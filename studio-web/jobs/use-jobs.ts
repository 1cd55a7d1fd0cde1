// The project's jobs, and the list's search and filters. Both survive opening a job and coming back.
import { computed, type Ref, ref, type ShallowRef, shallowRef, watch } from 'vue';
import {
  createSettingsBook,
  EVERY_JOB,
  type JobColumn,
  type JobListQuery,
  jobColumns,
  queryAfter,
  readColumns,
  wantsSettings,
  writeJobQuery,
} from '../../lib/console/index.js';
import type { JobSettings, JobSummary } from '../../lib/contract/index.js';
import { usePoll } from '../live.js';
import { recall, remember } from '../stored.js';
import { studio } from '../studio.js';
import { showInAddress, useLinksHere } from '../use-location.js';
import { useRequest } from '../use-request.js';

const latest = shallowRef<readonly JobSummary[]>();
/** The jobs of the last response that match the search and filters. */
export const shownJobs = shallowRef<readonly JobSummary[]>();
/** All jobs of the last response. */
export const knownJobs: Readonly<ShallowRef<readonly JobSummary[] | undefined>> = latest;

/** A reopened view shows the last response immediately, then refetches. */
export function useJobs() {
  return useRequest<readonly JobSummary[]>(async signal => (await studio.listJobs({ signal })).jobs, {
    known: latest.value,
    onResponse: jobs => {
      latest.value = jobs;
    },
  });
}

/** The job, as of the last response. */
export function knownJob(id: string): JobSummary | undefined {
  return latest.value?.find(job => job.id === id);
}

/** The runs selected for comparison; null when not selecting. */
export const comparedRuns = shallowRef<readonly string[] | null>(null);

let latestQuery = EVERY_JOB;

/** The search and filters. Also in the URL, which wins. */
export function useListQuery(): Ref<JobListQuery> {
  const query = ref(queryAfter(window.location.hash, latestQuery)) as Ref<JobListQuery>;
  watch(
    query,
    now => {
      latestQuery = now;
      showInAddress(writeJobQuery(now));
    },
    { immediate: true },
  );
  useLinksHere(() => {
    query.value = queryAfter(window.location.hash, query.value);
  });
  return query;
}

const COLUMNS_KEY = 'svc-job-columns';

const settings = shallowRef<ReadonlyMap<string, JobSettings>>(new Map());
const book = createSettingsBook(
  async ids => (await studio.listJobSettings(ids)).jobs,
  () => {
    settings.value = book.known;
  },
);

/** The extra columns chosen in this browser, and the settings of the listed jobs while those columns need them. */
export function useColumns(jobs: () => readonly JobSummary[]): {
  chosen: Ref<string[]>;
  columns: Readonly<Ref<JobColumn[]>>;
} {
  const chosen = ref(readColumns(recall(COLUMNS_KEY) ?? ''));
  watch(chosen, now => remember(COLUMNS_KEY, now.join(',')));
  const wanted = computed(() => (wantsSettings(chosen.value) ? jobs() : []));
  const want = () => book.want(wanted.value.map(({ id }) => id));
  watch(wanted, want, { immediate: true });
  // Retries those that failed.
  usePoll(want);
  return { chosen, columns: computed(() => jobColumns(chosen.value, jobs(), settings.value)) };
}
