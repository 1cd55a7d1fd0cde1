// The state around the views: the location and its history, the identity, and the question, prompt or notice at the bottom.
import type { CloudLink, Location } from '../../../lib/console/index.js';
import type { Identity } from '../../../lib/contract/index.js';
import type { Tone } from '../drawing/line.js';
import type { Prompt, Question, View } from './context.js';
import { withPart } from './store.js';

export interface ShellState {
  readonly columns: number;
  readonly rows: number;
  readonly location: Location;
  /** Earlier locations, the most recent last. */
  readonly trail: readonly Location[];
  readonly identity: Identity | null;
  /** Why the identity is unknown. */
  readonly identityProblem: string | null;
  readonly link: CloudLink;
  /** What the cloud's last failure said. */
  readonly linkProblem: string | null;
  readonly question: Question | null;
  readonly prompt: Prompt | null;
  /** Help or a command's output, shown over the view until it is closed. */
  readonly reader: View | null;
  readonly notice: { readonly text: string; readonly tone: Tone | undefined } | null;
}

export type ShellAction =
  | { readonly type: 'resized'; readonly columns: number; readonly rows: number }
  /** `replaces`: instead of the location before, to which nothing leads back then. */
  | { readonly type: 'went'; readonly location: Location; readonly replaces?: true }
  | { readonly type: 'wentBack' }
  | { readonly type: 'identified'; readonly identity: Identity }
  | { readonly type: 'unidentified'; readonly problem: string }
  | { readonly type: 'linked'; readonly link: CloudLink; readonly problem?: string }
  | { readonly type: 'asked'; readonly question: Question | null }
  | { readonly type: 'prompted'; readonly prompt: Prompt | null }
  | { readonly type: 'typed'; readonly value: string }
  | { readonly type: 'reading'; readonly reader: View | null }
  | { readonly type: 'notified'; readonly text: string; readonly tone: Tone | undefined }
  | { readonly type: 'calmed' };

const LONGEST_TRAIL = 50;

export function initialShell({
  columns,
  rows,
  location = { tab: 'overview', id: null },
}: Pick<ShellState, 'columns' | 'rows'> & { location?: Location | undefined }): ShellState {
  return {
    columns,
    rows,
    location,
    trail: [],
    identity: null,
    identityProblem: null,
    link: 'unknown',
    linkProblem: null,
    question: null,
    prompt: null,
    reader: null,
    notice: null,
  };
}

export function reduceShell(state: ShellState, action: ShellAction): ShellState {
  switch (action.type) {
    case 'resized':
      return { ...state, columns: action.columns, rows: action.rows };
    case 'went': {
      const trail = action.replaces ? state.trail : [...state.trail, state.location].slice(-LONGEST_TRAIL);
      return { ...state, location: action.location, trail, prompt: null };
    }
    case 'wentBack':
      return { ...state, ...stepBack(state), prompt: null };
    case 'identified':
      return { ...state, identity: action.identity, identityProblem: null };
    case 'unidentified':
      return { ...state, identityProblem: action.problem };
    case 'linked':
      return linkedTo(state, action);
    case 'asked':
      return { ...state, question: action.question };
    case 'prompted':
      return { ...state, prompt: action.prompt };
    case 'typed':
      return state.prompt ? { ...state, prompt: { ...state.prompt, value: action.value } } : state;
    case 'reading':
      return { ...state, reader: action.reader };
    case 'notified':
      return { ...state, notice: { text: action.text, tone: action.tone } };
    case 'calmed':
      return withPart(state, 'notice', null);
  }
}

/** What the failure said stays while other calls succeed without the cloud. */
function linkedTo(
  state: ShellState,
  { link, problem }: Extract<ShellAction, { type: 'linked' }>,
): ShellState {
  const kept = link === 'away' ? state.linkProblem : null;
  return withPart(withPart(state, 'link', link), 'linkProblem', problem ?? kept);
}

/** The previous location or, without one, the list that the current item is in. */
function stepBack({ location, trail }: ShellState): Pick<ShellState, 'location' | 'trail'> {
  const last = trail.at(-1);
  if (last) return { location: last, trail: trail.slice(0, -1) };
  return { location: { tab: location.tab, id: null }, trail };
}
