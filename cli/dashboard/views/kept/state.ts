// The state of the list of an endpoint's kept requests: which ones, as last fetched, and the selected one.
import { KEPT_FILTERS, type KeptFilter } from '../../../../lib/console/index.js';
import type { KeptRequest, KeptRequests } from '../../../../lib/contract/index.js';
import { type FetchAction, type Fetched, notFetched, reduceFetched } from '../../core/fetched.js';
import { chosenIndex, moveSelection, neighborOf, type Selection } from '../../core/list.js';
import type { Store } from '../../core/store.js';

export interface KeptState extends Selection {
  readonly deploymentId: string;
  readonly filter: KeptFilter;
  readonly fetched: Fetched<KeptRequests>;
}

type KeptAction =
  | { readonly type: 'opened'; readonly deploymentId: string; readonly filter: KeptFilter }
  | { readonly type: 'fetch'; readonly action: FetchAction<KeptRequests> }
  | { readonly type: 'changed'; readonly request: KeptRequest }
  | { readonly type: 'move'; readonly distance: number; readonly height: number };

export type KeptStore = Store<KeptState, KeptAction>;

export const initialKept: KeptState = {
  deploymentId: '',
  filter: undefined,
  fetched: notFetched,
  chosen: null,
  top: 0,
};

export function reduceKept(state: KeptState, action: KeptAction): KeptState {
  switch (action.type) {
    case 'opened':
      return { ...initialKept, deploymentId: action.deploymentId, filter: action.filter };
    case 'fetch': {
      const fetched = reduceFetched(state.fetched, action.action);
      return fetched === state.fetched ? state : { ...state, fetched };
    }
    case 'changed':
      return withRequest(state, action.request);
    case 'move':
      return moveSelection(state, keptIn(state), action);
  }
}

export function keptIn({ fetched }: KeptState): readonly KeptRequest[] {
  return fetched.value?.requests ?? [];
}

export function chosenKept(state: KeptState): number {
  return chosenIndex(keptIn(state), state.chosen);
}

export function nextFilter(filter: KeptFilter): KeptFilter {
  return neighborOf(
    KEPT_FILTERS.map(({ mark }) => mark),
    filter,
    1,
  );
}

/** It stays in the list, whatever the filter, until the list is fetched again. */
function withRequest(state: KeptState, changed: KeptRequest): KeptState {
  const { value } = state.fetched;
  if (!value) return state;
  const requests = value.requests.map(request => (request.id === changed.id ? changed : request));
  return { ...state, fetched: { ...state.fetched, value: { ...value, requests } } };
}
