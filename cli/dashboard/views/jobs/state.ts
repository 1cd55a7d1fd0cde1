// The state of the jobs list: the jobs as last fetched, the search and filter, and the selected row.
import {
  countFilters,
  type FilterCounts,
  findSweep,
  type JobList,
  type JobListQuery,
  listJobs,
  nextFilter,
  type Sweep,
} from '../../../../lib/console/index.js';
import type { JobSettings, JobSummary } from '../../../../lib/contract/index.js';
import { type FetchAction, type Fetched, notFetched, reduceFetched } from '../../core/fetched.js';
import { chosenIndex, moveSelection, type Selection } from '../../core/list.js';
import type { Store } from '../../core/store.js';

export interface JobsState extends Selection {
  readonly fetched: Fetched<readonly JobSummary[]>;
  readonly query: JobListQuery;
  readonly list: JobList<JobSummary>;
  /** Null before there are jobs. */
  readonly counts: FilterCounts | null;
  readonly columns: ColumnPage;
  /** The one whose runs alone are listed. */
  readonly sweep: Sweep | null;
  /** Those of the listed jobs, as far as they are known. */
  readonly settings: ReadonlyMap<string, JobSettings>;
  /** If IDs and dates do not both fit: whether to show IDs. */
  readonly showsIds: boolean;
  /** The runs to compare. */
  readonly compared: readonly string[];
}

/** Which columns follow the name. */
const COLUMN_PAGES = ['own', 'results', 'settings'] as const;

type ColumnPage = (typeof COLUMN_PAGES)[number];

export type JobsAction =
  | { readonly type: 'fetch'; readonly action: FetchAction<readonly JobSummary[]> }
  | { readonly type: 'search'; readonly search: string }
  | { readonly type: 'group'; readonly group: string | null }
  | { readonly type: 'tags'; readonly tags: readonly string[] }
  | { readonly type: 'settings'; readonly settings: JobsState['settings'] }
  | { readonly type: 'nextFilter' | 'showAll' | 'turn' | 'nextColumns' }
  | { readonly type: 'compared'; readonly ids: readonly string[] }
  | { readonly type: 'move'; readonly distance: number; readonly height: number };

export type JobsStore = Store<JobsState, JobsAction>;

export const initialJobs: JobsState = {
  fetched: notFetched,
  query: { search: '', status: 'all' },
  list: { rows: [], placeholder: null },
  counts: null,
  columns: 'own',
  sweep: null,
  settings: new Map(),
  chosen: null,
  top: 0,
  showsIds: false,
  compared: [],
};

export function reduceJobs(state: JobsState, action: JobsAction): JobsState {
  switch (action.type) {
    case 'fetch': {
      const fetched = reduceFetched(state.fetched, action.action);
      if (fetched === state.fetched) return state;
      return fetched.value === state.fetched.value ? { ...state, fetched } : relist({ ...state, fetched });
    }
    case 'search':
      return relist({ ...state, query: { ...state.query, search: action.search } });
    case 'tags':
      return relist({ ...state, query: { ...state.query, tags: action.tags } });
    case 'group':
      return relist({ ...state, query: { ...state.query, group: action.group } });
    case 'settings':
      return { ...state, settings: action.settings };
    case 'nextColumns':
      return { ...state, columns: nextOf(COLUMN_PAGES, state.columns) };
    case 'nextFilter':
      return relist({ ...state, query: { ...state.query, status: nextFilter(state.query.status) } });
    case 'showAll':
      return relist({ ...state, query: initialJobs.query });
    case 'turn':
      return { ...state, showsIds: !state.showsIds };
    case 'compared':
      return { ...state, compared: action.ids };
    case 'move':
      return moveSelection(state, state.list.rows, action);
  }
}

export function chosenRow({ list, chosen }: JobsState): number {
  return chosenIndex(list.rows, chosen);
}

export function chosenJob(state: JobsState): JobSummary | null {
  return state.list.rows[chosenRow(state)] ?? null;
}

function nextOf<T>(values: readonly T[], value: T): T {
  return values[(values.indexOf(value) + 1) % values.length]!;
}

function relist(state: JobsState): JobsState {
  const { value } = state.fetched;
  const list = value ? listJobs(value, state.query) : initialJobs.list;
  const counts = value && value.length > 0 ? countFilters(value, state.query) : null;
  const sweep = value && state.query.group ? findSweep(value, state.query.group) : null;
  return { ...state, list, counts, sweep };
}
