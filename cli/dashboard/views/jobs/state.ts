// The state of the jobs list: the jobs as last fetched, the search and filter, and the selected row.
import {
  type JobList,
  type JobListQuery,
  keepInSight,
  listJobs,
  moveWithin,
  nextFilter,
} from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import { type FetchAction, type Fetched, notFetched, reduceFetched } from '../../core/fetched.js';

export interface JobsState {
  readonly fetched: Fetched<readonly JobSummary[]>;
  readonly query: JobListQuery;
  readonly list: JobList<JobSummary>;
  /** The selected job, which stays selected when new ones appear above it. */
  readonly chosen: string | null;
  readonly top: number;
  /** If IDs and dates do not both fit: whether to show IDs. */
  readonly showsIds: boolean;
}

export type JobsAction =
  | { readonly type: 'fetch'; readonly action: FetchAction<readonly JobSummary[]> }
  | { readonly type: 'search'; readonly search: string }
  | { readonly type: 'nextFilter' | 'showAll' | 'turn' }
  | { readonly type: 'move'; readonly distance: number; readonly height: number };

export const initialJobs: JobsState = {
  fetched: notFetched,
  query: { search: '', status: 'all' },
  list: { rows: [], placeholder: null },
  chosen: null,
  top: 0,
  showsIds: false,
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
    case 'nextFilter':
      return relist({ ...state, query: { ...state.query, status: nextFilter(state.query.status) } });
    case 'showAll':
      return relist({ ...state, query: initialJobs.query });
    case 'turn':
      return { ...state, showsIds: !state.showsIds };
    case 'move':
      return move(state, action.distance, action.height);
  }
}

/** The index of the selected row; the first row if the job is not listed. */
export function chosenRow({ list, chosen }: JobsState): number {
  const index = list.rows.findIndex(({ id }) => id === chosen);
  return index >= 0 ? index : Math.min(0, list.rows.length - 1);
}

export function chosenJob(state: JobsState): JobSummary | null {
  return state.list.rows[chosenRow(state)] ?? null;
}

function relist(state: JobsState): JobsState {
  const { value } = state.fetched;
  const list = value ? listJobs(value, state.query) : initialJobs.list;
  return { ...state, list };
}

function move(state: JobsState, distance: number, height: number): JobsState {
  const { rows } = state.list;
  const index = moveWithin(chosenRow(state), distance, rows.length);
  const chosen = rows[index]?.id ?? null;
  const top = keepInSight(state.top, index, height, rows.length);
  return chosen === state.chosen && top === state.top ? state : { ...state, chosen, top };
}
