// The model to chat with (the base model or a completed job's final adapter), and an optional second one. The choices last
// until the page is reloaded.
import { computed, reactive, watch } from 'vue';
import { completedJobs } from '../../lib/console/index.js';
import type { Target } from '../../lib/contract/index.js';
import { identity } from '../cloud.js';
import { useJobs } from '../jobs/use-jobs.js';
import { usePoll } from '../live.js';

export interface Choice {
  mode: 'base' | 'adapter';
  jobId: string;
}

const choice = reactive<Choice>({ mode: 'base', jobId: '' });

/**
 * Whether a second model answers too, and which one: `target` is `base` or the ID of a completed job, empty until one is
 * known.
 */
export const side = reactive({ isOn: false, target: '' });

/** For links to this page. */
export function chooseJob(id: string): void {
  Object.assign(choice, { mode: 'adapter', jobId: id });
}

export function useChoice() {
  const { data, isAnswered, error, isSlow, reload } = useJobs();
  const jobs = computed(() => data.value && completedJobs(data.value));

  /**
   * The chosen job, if it is gone or has no adapter. No other one takes its place by itself. What was listed before this page
   * opened may lack a job that has completed since.
   */
  const missing = computed(() => {
    const { mode, jobId } = choice;
    if (mode === 'base' || jobId === '' || !isAnswered.value) return null;
    return jobs.value?.some(({ id }) => id === jobId) ? null : jobId;
  });

  const target = computed<Target | null>(() => {
    const { mode, jobId } = choice;
    if (mode === 'adapter')
      return jobId && missing.value === null ? { kind: 'adapter', adapter: { kind: 'final', jobId } } : null;
    const { baseModel } = identity.value ?? {};
    return baseModel ? { kind: 'base_model', baseModel } : null;
  });

  watch(
    jobs,
    known => {
      choice.jobId ||= known?.[0]?.id ?? '';
    },
    { immediate: true },
  );
  // A run may complete while this page is open; its adapter then becomes available.
  usePoll(() => {
    if (choice.mode === 'adapter' || side.isOn) void reload();
  });
  watch(() => [choice.mode, side.isOn], reload);
  return { choice, jobs, missing, error, isSlow, reload, target };
}
