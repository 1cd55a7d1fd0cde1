// The jobs list, fetched every few seconds while it is shown.
import { LEAST_COMPARED, TOO_MANY_COMPARED, toggleCompared } from '../../../../lib/console/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { fetchJobs } from '../../core/fetched.js';
import { listCommands } from '../../core/list.js';
import { createPoll } from '../../core/poll.js';
import { createStore } from '../../core/store.js';
import { drawJobs, jobsStatus, layOutJobs } from './draw.js';
import { chosenJob, initialJobs, type JobsStore, reduceJobs } from './state.js';

interface JobsPage {
  readonly context: Context;
  readonly store: JobsStore;
  refresh(): Promise<void>;
}

export function createJobs(context: Context): View {
  const store = createStore(reduceJobs, initialJobs, context.changed);
  const refresh = () => fetchJobs(context, action => store.dispatch({ type: 'fetch', action }));
  const poll = createPoll(refresh);
  return {
    scopes: ['jobs', 'list', 'choosing', 'anywhere'],
    commands: () => jobsCommands({ context, store, refresh }),
    enter: poll.start,
    leave: poll.stop,
    draw: canvas => drawJobs(store.state, canvas),
    foot: (_canvas, isPrompting) => jobsStatus(store.state, isPrompting),
  };
}

function jobsCommands({ context, store, refresh }: JobsPage): Commands {
  const { search, status } = store.state.query;
  const { rows: height, canTurn } = layOutJobs(store.state, context.canvas);
  const job = chosenJob(store.state);
  return {
    refresh: () => void refresh(),
    search: () => askSearch(context, store),
    nextFilter: () => store.dispatch({ type: 'nextFilter' }),
    ...(canTurn && { nextPage: () => store.dispatch({ type: 'turn' }) }),
    ...((search !== '' || status !== 'all') && { back: () => store.dispatch({ type: 'showAll' }) }),
    ...(job && {
      ...listCommands(distance => store.dispatch({ type: 'move', distance, height }), height),
      openChosen: () => context.go({ tab: 'jobs', id: job.id }),
      copy: () => context.copy(job.id, 'the job ID'),
      ...compareCommands(context, store, job.id),
    }),
  };
}

function compareCommands(context: Context, store: JobsStore, id: string): Commands {
  const { compared } = store.state;
  const toggled = toggleCompared(compared, id);
  return {
    toggleCompared: () =>
      toggled
        ? store.dispatch({ type: 'compared', ids: toggled })
        : context.notify(TOO_MANY_COMPARED, 'warning'),
    ...(compared.length >= LEAST_COMPARED && {
      compare: () => context.go({ tab: 'jobs', id: null, compare: compared }),
    }),
  };
}

function askSearch(context: Context, store: JobsStore): void {
  const search = (text: string) => store.dispatch({ type: 'search', search: text });
  context.prompt({
    scope: 'search',
    label: '/',
    value: store.state.query.search,
    change: search,
    submit: () => null,
    leave: () => {
      search('');
      return false;
    },
  });
}
