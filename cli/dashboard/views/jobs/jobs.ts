// The behavior of the jobs list: fetches it every few seconds while shown, and moves the selection.
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { fetchInto } from '../../core/fetched.js';
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
      action => store.dispatch({ type: 'fetch', action }),
      async () => (await context.reach(client.listJobs({ signal }))).jobs,
      signal,
    );
  }

  const height = () => layOutJobs(store.state, context.canvas).rows;
  const move = (distance: number) => store.dispatch({ type: 'move', distance, height: height() });
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
    const job = chosenJob(store.state);
    return {
      refresh: () => void refresh(),
      search: askSearch,
      nextFilter: () => store.dispatch({ type: 'nextFilter' }),
      ...(layOutJobs(store.state, context.canvas).canTurn && {
        nextPage: () => store.dispatch({ type: 'turn' }),
      }),
      ...((query.search !== '' || query.status !== 'all') && {
        back: () => store.dispatch({ type: 'showAll' }),
      }),
      ...(job && {
        previous: () => move(-1),
        next: () => move(1),
        pageUp: () => move(-height()),
        pageDown: () => move(height()),
        first: () => move(Number.NEGATIVE_INFINITY),
        last: () => move(Number.POSITIVE_INFINITY),
        openChosen: () => context.go({ place: 'jobs', id: job.id }),
        copy: () => context.copy(job.id, 'the job ID'),
      }),
    };
  }

  return {
    scopes: ['jobs', 'list', 'anywhere'],
    get commands() {
      return commands();
    },
    enter: () => poll.start(),
    leave: () => poll.stop(),
    draw: canvas => drawJobs(store.state, canvas),
    foot: (_canvas, isPrompting) => jobsStatus(store.state, isPrompting),
  };
}
