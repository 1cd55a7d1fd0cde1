// The state of the endpoints list: the endpoints as last fetched, the selected row and the form.
import { type EndpointDraft, emptyDraft, keepInSight, moveWithin } from '../../../../lib/console/index.js';
import type { Deployment } from '../../../../lib/contract/index.js';
import { type FetchAction, type Fetched, notFetched, reduceFetched } from '../../core/fetched.js';
import { type FormAction, type FormState, newForm, reduceForm } from './form-state.js';

export interface EndpointsState {
  readonly fetched: Fetched<readonly Deployment[]>;
  readonly chosen: string | null;
  readonly top: number;
  readonly form: FormState | null;
  /** The entries of a closed form, kept for the next one. */
  readonly draft: EndpointDraft;
}

export type EndpointsAction =
  | { readonly type: 'fetch'; readonly action: FetchAction<readonly Deployment[]> }
  | { readonly type: 'move'; readonly distance: number; readonly height: number }
  | { readonly type: 'openForm' | 'leaveForm' }
  | { readonly type: 'form'; readonly action: FormAction }
  | { readonly type: 'created'; readonly id: string };

export const initialEndpoints: EndpointsState = {
  fetched: notFetched,
  chosen: null,
  top: 0,
  form: null,
  draft: emptyDraft,
};

export function reduceEndpoints(state: EndpointsState, action: EndpointsAction): EndpointsState {
  switch (action.type) {
    case 'fetch': {
      const fetched = reduceFetched(state.fetched, action.action);
      return fetched === state.fetched ? state : { ...state, fetched };
    }
    case 'move':
      return move(state, action.distance, action.height);
    case 'openForm':
      return { ...state, form: { ...newForm, draft: state.draft } };
    case 'leaveForm':
      return { ...state, form: null, draft: state.form?.draft ?? state.draft };
    case 'form':
      return state.form ? { ...state, form: reduceForm(state.form, action.action) } : state;
    case 'created':
      return { ...state, form: null, draft: emptyDraft, chosen: action.id };
  }
}

export function chosenRow({ fetched, chosen }: EndpointsState): number {
  const rows = fetched.value ?? [];
  const index = rows.findIndex(({ id }) => id === chosen);
  return index >= 0 ? index : Math.min(0, rows.length - 1);
}

export function chosenEndpoint(state: EndpointsState): Deployment | null {
  return state.fetched.value?.[chosenRow(state)] ?? null;
}

function move(state: EndpointsState, distance: number, height: number): EndpointsState {
  const rows = state.fetched.value ?? [];
  const index = moveWithin(chosenRow(state), distance, rows.length);
  const top = keepInSight(state.top, index, height, rows.length);
  return { ...state, chosen: rows[index]?.id ?? null, top };
}
