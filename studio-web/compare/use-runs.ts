// Watches the runs of a comparison live. Runs that the address shortens are looked up among the jobs first.
import { computed, onUnmounted, watchEffect } from 'vue';
import { type JobsWatch, watchJobs } from '../../lib/client/index.js';
import {
  type CompareAction,
  errorText,
  type JobAction,
  needsJobs,
  reduceCompare,
  startCompare,
} from '../../lib/console/index.js';
import { countEvents, isUuid, type StreamedEvents } from '../../lib/contract/index.js';
import { useFrameQueue } from '../job/use-frame-queue.js';
import { useHiddenTab } from '../job/use-hidden-tab.js';
import { useUpdates } from '../job/use-updates.js';
import { useJobs } from '../jobs/use-jobs.js';
import { openEventSource, studio } from '../studio.js';

interface Told {
  readonly id: string;
  readonly frame: StreamedEvents;
}

export function useRuns(names: readonly string[]) {
  const { state: runs, update } = useUpdates(startCompare(names, isUuid));
  const dispatch = (action: CompareAction) => update(current => reduceCompare(current, action));
  const tell = (id: string, action: JobAction) => dispatch({ type: 'job', id, action });
  const frames = useFrameQueue<Told>(all => {
    for (const id of new Set(all.map(told => told.id)))
      tell(id, { type: 'frames', frames: all.filter(told => told.id === id).map(({ frame }) => frame) });
  });
  let watch: JobsWatch | undefined;

  function start(): void {
    const ids = update(same => same).flatMap(({ id, problem }) =>
      id !== null && problem === null ? [id] : [],
    );
    watch = watchJobs(
      ids,
      {
        onJob: (id, job) => tell(id, { type: 'polled', job }),
        onFrames: (id, all) =>
          frames.add(
            all.map(frame => ({ id, frame })),
            countEvents(all),
          ),
        onInterrupted: id => tell(id, { type: 'interrupted' }),
        onRefused: (id, error) => dispatch({ type: 'refused', id, problem: errorText(error) }),
      },
      { openEventSource, getJob: studio.getJob },
    );
    watch.open();
  }

  const { data: jobs, error, reload } = useJobs();
  if (!needsJobs(runs.value)) start();
  else
    watchEffect(() => {
      if (!jobs.value || watch) return;
      dispatch({ type: 'listed', jobs: jobs.value });
      start();
    });

  useHiddenTab({ onLongHidden: () => watch?.close(), onShown: () => watch?.open() });
  onUnmounted(() => watch?.close());
  return { runs, error: computed(() => (watch ? undefined : error.value)), reload };
}
