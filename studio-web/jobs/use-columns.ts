// The columns that this browser adds to the jobs list, and the settings of the listed jobs while they are shown.
import { computed, type Ref, ref, shallowRef, watch } from 'vue';
import {
  createSettingsBook,
  type JobColumn,
  jobColumns,
  readColumns,
  wantsSettings,
} from '../../lib/console/index.js';
import type { JobSettings, JobSummary } from '../../lib/contract/index.js';
import { recall, remember } from '../stored.js';
import { studio } from '../studio.js';

const STORAGE_KEY = 'svc-job-columns';

const settings = shallowRef<ReadonlyMap<string, JobSettings>>(new Map());
const book = createSettingsBook(
  async ids => (await studio.listJobSettings(ids)).jobs,
  () => {
    settings.value = book.known;
  },
);

export function useColumns(jobs: () => readonly JobSummary[]): {
  chosen: Ref<string[]>;
  columns: Readonly<Ref<JobColumn[]>>;
} {
  const chosen = ref(readColumns(recall(STORAGE_KEY) ?? ''));
  watch(chosen, now => remember(STORAGE_KEY, now.join(',')));
  watch(
    () => (wantsSettings(chosen.value) ? jobs() : []),
    listed => void book.want(listed.map(({ id }) => id)),
    { immediate: true },
  );
  return { chosen, columns: computed(() => jobColumns(chosen.value, jobs(), settings.value)) };
}
