// Several runs side by side: their lines in one chart, their results, and the settings in which they differ.
import { type JobsWatch, watchJobs } from '../../../../lib/client/index.js';
import { errorText, type JobAction, MOST_COMPARED, needsJobs } from '../../../../lib/console/index.js';
import type { Context, View } from '../../core/context.js';
import { fetchJobs } from '../../core/fetched.js';
import { createScroller } from '../../core/scroller.js';
import { createStore } from '../../core/store.js';
import { compareCommands } from './commands.js';
import { compareStatus, drawCompare, layOutCompare, tableSource } from './draw.js';
import { type ComparePageStore, initialComparePage, reduceComparePage, shownRuns } from './state.js';

export function createCompare(context: Context): View {
  const store = createStore(reduceComparePage, initialComparePage, context.changed);
  const scroller = createScroller({
    source: () => tableSource(store.state, Date.now()),
    height: () => layOutCompare(store.state, Date.now(), context.canvas).table.height,
    changed: context.changed,
    start: { item: 0, row: 0 },
  });
  let watch: JobsWatch | undefined;
  let opened = 0;

  async function open(): Promise<void> {
    const own = ++opened;
    if (needsJobs(store.state.runs)) await lookUp(context, store);
    if (own !== opened || needsJobs(store.state.runs)) return;
    watch = watchRuns(context, store);
    watch.open();
  }

  function close(): void {
    opened++;
    watch?.close();
    watch = undefined;
  }

  function refresh(): void {
    close();
    void open();
  }

  return {
    scopes: ['compare', 'anywhere'],
    commands: () => compareCommands({ context, store, scroller, refresh }),
    enter(names) {
      store.dispatch({ type: 'opened', names: (names ?? '').split(',').filter(Boolean) });
      scroller.reset();
      void open();
    },
    leave: close,
    draw: canvas => drawCompare(store.state, scroller.rows(), Date.now(), canvas),
    foot: () => compareStatus(store.state),
  };
}

/** Finds the runs whose IDs were shortened. */
function lookUp(context: Context, store: ComparePageStore): Promise<void> {
  return fetchJobs(context, action => {
    if (action.type === 'refused') store.dispatch({ type: 'problem', problem: action.problem });
    if (action.type !== 'fetched') return;
    store.dispatch({ type: 'problem', problem: null });
    store.dispatch({ type: 'runs', action: { type: 'listed', jobs: action.value } });
  });
}

function watchRuns({ client, openEventSource, reach }: Context, store: ComparePageStore): JobsWatch {
  const tell = (id: string, action: JobAction) =>
    store.dispatch({ type: 'runs', action: { type: 'job', id, action } });
  return watchJobs(
    shownRuns(store.state).map(({ id }) => id!),
    {
      onJob: (id, job) => tell(id, { type: 'polled', job }),
      onFrames: (id, frames) => tell(id, { type: 'frames', frames }),
      onInterrupted: id => tell(id, { type: 'interrupted' }),
      onRefused: (id, error) =>
        store.dispatch({ type: 'runs', action: { type: 'refused', id, problem: errorText(error) } }),
    },
    {
      openEventSource,
      getJob: (id, options) => reach(client.getJob(id, options), true),
      most: MOST_COMPARED,
    },
  );
}
