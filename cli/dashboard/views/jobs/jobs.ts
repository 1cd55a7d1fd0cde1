// The behavior of the jobs list: fetches it every few seconds while shown, and moves the selection.
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { fetchInto } from '../../core/fetched.js';
import { listCommands } from '../../core/list.js';
import { createPoll } from '../../core/poll.js';
import { createStore } from '../../core/store.js';
import { drawJobs, jobsStatus, layOutJobs } from './draw.js';
import { chosenJob, initialJobs, reduceJobs } from './state.js';

export function createJobs(context: Context): View {
  const { client, signal } = context;
  const store = createStore(reduceJobs, initialJobs, context.changed);
  const poll = createPoll(refresh);

  function refresh(): Promise<void> {
    return fetchInto(
      context,
      async () => (await client.listJobs({ signal })).jobs,
      action => store.dispatch({ type: 'fetch', action }),
    );
  }

  const search = (text: string) => store.dispatch({ type: 'search', search: text });

  function askSearch(): void {
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

  function commands(): Commands {
    const { query } = store.state;
    const { rows: height, canTurn } = layOutJobs(store.state, context.canvas);
    const job = chosenJob(store.state);
    return {
      refresh: () => void refresh(),
      search: askSearch,
      nextFilter: () => store.dispatch({ type: 'nextFilter' }),
      ...(canTurn && { nextPage: () => store.dispatch({ type: 'turn' }) }),
      ...((query.search !== '' || query.status !== 'all') && {
        back: () => store.dispatch({ type: 'showAll' }),
      }),
      ...(job && {
        ...listCommands(distance => store.dispatch({ type: 'move', distance, height }), height),
        openChosen: () => context.go({ place: 'jobs', id: job.id }),
        copy: () => context.copy(job.id, 'the job ID'),
      }),
    };
  }

  return {
    scopes: ['jobs', 'list', 'anywhere'],
    commands,
    enter: () => poll.start(),
    leave: () => poll.stop(),
    draw: canvas => drawJobs(store.state, canvas),
    foot: (_canvas, isPrompting) => jobsStatus(store.state, isPrompting),
  };
}
