// The state of an endpoint's page: the endpoint, its keys, the selected key, and a key that was just issued.
import { LANGUAGES, type Language, moveWithin } from '../../../../lib/console/index.js';
import type { Deployment, IssuedKey, Key } from '../../../../lib/contract/index.js';
import { type FetchAction, type Fetched, notFetched, reduceFetched } from '../../core/fetched.js';
import { chosenIndex, neighborOf } from '../../core/list.js';
import { type Store, withPart } from '../../core/store.js';

export interface DeploymentState {
  readonly id: string;
  readonly deployment: Fetched<Deployment>;
  readonly keys: Fetched<readonly Key[]>;
  readonly chosen: string | null;
  readonly language: Language;
  /** The current page, if not everything fits on one. */
  readonly page: number;
  /** The only place that holds a plaintext, until the user leaves the page. */
  readonly issued: Pick<IssuedKey, 'label' | 'plaintext'> | null;
  readonly problem: string | null;
  /** A request is pending. */
  readonly isBusy: boolean;
}

export type DeploymentAction =
  | { readonly type: 'opened'; readonly id: string }
  | { readonly type: 'deployment'; readonly action: FetchAction<Deployment> }
  | { readonly type: 'keys'; readonly action: FetchAction<readonly Key[]> }
  | { readonly type: 'move'; readonly distance: number }
  | { readonly type: 'language'; readonly distance: -1 | 1 }
  | { readonly type: 'page'; readonly page: number }
  | { readonly type: 'asked' | 'answered' | 'forget' }
  | { readonly type: 'issued'; readonly key: IssuedKey }
  | { readonly type: 'revoked'; readonly key: Key }
  | { readonly type: 'refused'; readonly problem: string };

export type DeploymentStore = Store<DeploymentState, DeploymentAction>;

export const initialDeployment: DeploymentState = {
  id: '',
  deployment: notFetched,
  keys: notFetched,
  chosen: null,
  language: 'curl',
  page: 0,
  issued: null,
  problem: null,
  isBusy: false,
};

const LANGUAGE_NAMES = LANGUAGES.map(({ value }) => value);

export function reduceDeployment(state: DeploymentState, action: DeploymentAction): DeploymentState {
  switch (action.type) {
    case 'opened':
      return { ...initialDeployment, language: state.language, id: action.id };
    case 'deployment':
      return withPart(state, 'deployment', reduceFetched(state.deployment, action.action));
    case 'keys':
      return withPart(state, 'keys', reduceFetched(state.keys, action.action));
    case 'move': {
      const keys = state.keys.value ?? [];
      const index = moveWithin(chosenRow(state), action.distance, keys.length);
      return { ...state, chosen: keys[index]?.id ?? null };
    }
    case 'language':
      return { ...state, language: neighborOf(LANGUAGE_NAMES, state.language, action.distance) };
    case 'page':
      return { ...state, page: action.page };
    case 'asked':
      return { ...state, isBusy: true, problem: null };
    case 'answered':
      return { ...state, isBusy: false };
    case 'forget':
      return state.issued ? { ...state, issued: null } : state;
    case 'issued':
      return issue(state, action.key);
    case 'revoked':
      return withKeys(state, keys => keys.map(old => (old.id === action.key.id ? action.key : old)));
    case 'refused':
      return { ...state, problem: action.problem };
  }
}

export function chosenRow({ keys, chosen }: DeploymentState): number {
  return chosenIndex(keys.value ?? [], chosen);
}

export function chosenKey(state: DeploymentState): Key | null {
  return state.keys.value?.[chosenRow(state)] ?? null;
}

function issue(state: DeploymentState, { plaintext, ...key }: IssuedKey): DeploymentState {
  const listed = withKeys(state, keys => [...keys.filter(({ id }) => id !== key.id), key]);
  return { ...listed, chosen: key.id, issued: { label: key.label, plaintext } };
}

function withKeys(state: DeploymentState, change: (keys: readonly Key[]) => readonly Key[]): DeploymentState {
  return { ...state, keys: { ...state.keys, value: change(state.keys.value ?? []) } };
}
