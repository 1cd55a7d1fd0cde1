// The state of the endpoints list: the endpoints as last fetched, the selected row and the form.
import { type DeploymentDraft, emptyDraft } from '../../../../lib/console/index.js';
import type { Deployment } from '../../../../lib/contract/index.js';
import { type FetchAction, type Fetched, notFetched, reduceFetched } from '../../core/fetched.js';
import { chosenIndex, moveSelection, type Selection } from '../../core/list.js';
import { type Store, withPart } from '../../core/store.js';
import { type FormAction, type FormState, newForm, reduceForm } from './form-state.js';

export interface EndpointsState extends Selection {
  readonly fetched: Fetched<readonly Deployment[]>;
  readonly form: FormState | null;
  /** The entries of a closed form, kept for the next one. */
  readonly draft: DeploymentDraft;
}

type EndpointsAction =
  | { readonly type: 'fetch'; readonly action: FetchAction<readonly Deployment[]> }
  | { readonly type: 'move'; readonly distance: number; readonly height: number }
  | { readonly type: 'openForm' | 'leaveForm' }
  /** The form, filled in with the final adapter of a job. */
  | { readonly type: 'publish'; readonly jobId: string }
  | { readonly type: 'form'; readonly action: FormAction }
  | { readonly type: 'created'; readonly id: string };

export type EndpointsStore = Store<EndpointsState, EndpointsAction>;

export const initialDeployments: EndpointsState = {
  fetched: notFetched,
  chosen: null,
  top: 0,
  form: null,
  draft: emptyDraft,
};

export function reduceDeployments(state: EndpointsState, action: EndpointsAction): EndpointsState {
  switch (action.type) {
    case 'fetch':
      return withPart(state, 'fetched', reduceFetched(state.fetched, action.action));
    case 'move':
      return moveSelection(state, state.fetched.value ?? [], action);
    case 'openForm':
      return { ...state, form: { ...newForm, draft: state.draft } };
    case 'publish': {
      const draft = { ...state.draft, kind: 'final' as const, jobId: action.jobId };
      return { ...state, form: { ...newForm, draft } };
    }
    case 'leaveForm':
      return { ...state, form: null, draft: state.form?.draft ?? state.draft };
    case 'form':
      return state.form ? { ...state, form: reduceForm(state.form, action.action) } : state;
    case 'created':
      return { ...state, form: null, draft: emptyDraft, chosen: action.id };
  }
}

export function chosenRow({ fetched, chosen }: EndpointsState): number {
  return chosenIndex(fetched.value ?? [], chosen);
}

export function chosenDeployment(state: EndpointsState): Deployment | null {
  return state.fetched.value?.[chosenRow(state)] ?? null;
}
