// The jobs list, fetched every few seconds while it is shown.
import {
  createSettingsBook,
  isFiltering,
  LEAST_COMPARED,
  readTags,
  TOO_MANY_COMPARED,
  toggleCompared,
} from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { editCommands } from '../../core/edit-job.js';
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
  wantSettings(): void;
}

interface JobsView extends View {
  /** Those that the search and the filters let through. */
  shown(): readonly JobSummary[];
}

export function createJobs(context: Context): JobsView {
  const store = createStore(reduceJobs, initialJobs, context.changed);
  const book = createSettingsBook(
    async ids => (await context.reach(context.client.listJobSettings(ids, { signal: context.signal }))).jobs,
    () => store.dispatch({ type: 'settings', settings: book.known }),
  );
  /** The settings of the listed jobs, while they are shown. */
  const wantSettings = () => {
    const { columns, list } = store.state;
    if (columns === 'settings') void book.want(list.rows.map(({ id }) => id));
  };
  const refresh = async () => {
    await fetchJobs(context, action => store.dispatch({ type: 'fetch', action }));
    wantSettings();
  };
  const poll = createPoll(context.clock, refresh);
  return {
    shown: () => store.state.list.rows,
    scopes: ['jobs', 'list', 'choosing', 'anywhere'],
    commands: () => jobsCommands({ context, store, refresh, wantSettings }),
    enter: poll.start,
    leave: poll.stop,
    draw: canvas => drawJobs(store.state, canvas),
    foot: (_canvas, isPrompting) => jobsStatus(store.state, isPrompting),
  };
}

function jobsCommands({ context, store, refresh, wantSettings }: JobsPage): Commands {
  const { counts, query } = store.state;
  const { rows: height, canTurn } = layOutJobs(store.state, context.canvas);
  const job = chosenJob(store.state);
  return {
    refresh: () => void refresh(),
    search: () => askSearch(context, store),
    nextFilter: () => store.dispatch({ type: 'nextFilter' }),
    ...(counts && counts.tags.length > 0 && { filterTags: () => askTags(context, store) }),
    ...((job?.group || query.group) && {
      toggleSweep: () =>
        store.dispatch({ type: 'group', group: query.group ? null : (job?.group?.id ?? null) }),
    }),
    // Those of a sweep are its own.
    ...(!store.state.sweep && {
      nextColumns() {
        store.dispatch({ type: 'nextColumns' });
        wantSettings();
      },
    }),
    ...(canTurn && { nextPage: () => store.dispatch({ type: 'turn' }) }),
    ...(isFiltering(query) && { back: () => store.dispatch({ type: 'showAll' }) }),
    ...(job && {
      ...listCommands(distance => store.dispatch({ type: 'move', distance, height }), height),
      openChosen: () => context.go({ tab: 'jobs', id: job.id }),
      copy: () => context.copy(job.id, 'the job ID'),
      ...editCommands(context, job, () => void refresh()),
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

/** Those of the listed jobs stand in the label. */
function askTags(context: Context, store: JobsStore): void {
  const { query, counts } = store.state;
  const known = (counts?.tags ?? []).slice(0, MOST_NAMED_TAGS).map(({ tag }) => tag);
  context.prompt({
    scope: 'search',
    label: `Tags (${known.join(', ')}): `,
    value: query.tags?.join(', ') ?? '',
    change: text => store.dispatch({ type: 'tags', tags: readTags(text) }),
    submit: () => null,
    leave: () => {
      store.dispatch({ type: 'tags', tags: [] });
      return false;
    },
  });
}

const MOST_NAMED_TAGS = 4;

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
