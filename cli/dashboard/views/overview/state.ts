// The state of the overview: the trainer, the status of the run, and its output.
import {
  brokenRunAction,
  canRun,
  emptyTerminal,
  initialJobView,
  type JobAction,
  type JobView,
  printText,
  type RunState,
  reduceJobView,
  runAction,
  type TerminalText,
} from '../../../../lib/console/index.js';
import type { Overview as Activity, Manifest, TrainStatus } from '../../../../lib/contract/index.js';
import type { Store } from '../../core/store.js';

export interface OverviewState extends RunState {
  readonly trainer: Manifest['trainer'];
  readonly isReading: boolean;
  /** Reading the manifest is taking a while. */
  readonly isSlow: boolean;
  readonly output: TerminalText;
  /** The start time of the run whose output is shown; null if there is none. */
  readonly followed: string | null;
  readonly problem: string | null;
  /** What goes on in the project; null until known. */
  readonly activity: Activity | null;
  /** The run whose losses are drawn. */
  readonly watched: { readonly id: string; readonly job: JobView } | null;
}

type OverviewAction =
  | { readonly type: 'slow' | 'asked' | 'reading' }
  | { readonly type: 'manifest'; readonly manifest: Manifest }
  | { readonly type: 'broken'; readonly error: unknown }
  | { readonly type: 'status'; readonly status: TrainStatus }
  | { readonly type: 'begun'; readonly at: string }
  | { readonly type: 'followed'; readonly startedAt: string | null }
  | { readonly type: 'printed'; readonly text: string }
  | { readonly type: 'activity'; readonly overview: Activity }
  | { readonly type: 'watched'; readonly id: string | null }
  | { readonly type: 'losses'; readonly id: string; readonly action: JobAction }
  | { readonly type: 'ended' }
  | { readonly type: 'refused'; readonly problem: string };

export type OverviewStore = Store<OverviewState, OverviewAction>;

export const initialOverview: OverviewState = {
  action: null,
  trainer: null,
  isReading: false,
  status: null,
  busy: false,
  isSlow: false,
  output: emptyTerminal,
  followed: null,
  problem: null,
  activity: null,
  watched: null,
};

export function reduceOverview(state: OverviewState, action: OverviewAction): OverviewState {
  switch (action.type) {
    case 'reading':
      return { ...state, isReading: true, isSlow: false };
    case 'slow':
      return { ...state, isSlow: state.isReading };
    case 'manifest': {
      const { manifest } = action;
      return { ...state, ...READ, action: runAction(manifest), trainer: manifest.trainer };
    }
    case 'broken':
      return { ...state, ...READ, action: brokenRunAction(action.error), trainer: null };
    case 'status':
      return sameStatus(state.status, action.status) ? state : { ...state, status: action.status };
    case 'asked':
      return { ...state, busy: true, problem: null };
    case 'begun':
      // Holds until Studio responds, so that no second run can be started meanwhile.
      return { ...state, status: { running: true, startedAt: action.at, jobId: null, exitCode: null } };
    case 'followed':
      return { ...state, busy: true, followed: action.startedAt, output: emptyTerminal, problem: null };
    case 'printed':
      return { ...state, output: printText(state.output, action.text) };
    case 'activity':
      return { ...state, activity: action.overview };
    case 'watched':
      return { ...state, watched: action.id === null ? null : { id: action.id, job: initialJobView } };
    case 'losses':
      return state.watched?.id === action.id
        ? { ...state, watched: { id: action.id, job: reduceJobView(state.watched.job, action.action) } }
        : state;
    case 'ended':
      return { ...state, busy: false };
    case 'refused':
      return { ...state, busy: false, followed: null, problem: action.problem };
  }
}

const READ = { isReading: false, isSlow: false };

/** Whether a run can be started; not while the trainer is being reloaded. */
export function isReady(state: OverviewState): boolean {
  return canRun(state) && !state.isReading;
}

/** Why no run can be started now. */
export function whyNotReady({ action, status, busy }: OverviewState): string {
  if (busy || status?.running) return 'A run is already in progress. Wait until it ends.';
  return action && action.kind !== 'ready' ? action.message : 'The trainer has not loaded yet.';
}

/** True if there is a run whose output has not been requested. */
export function hasUnreadRun({ status, busy, followed }: OverviewState): boolean {
  return !busy && status !== null && status.startedAt !== null && status.startedAt !== followed;
}

function sameStatus(a: TrainStatus | null, b: TrainStatus): boolean {
  return a !== null && JSON.stringify(a) === JSON.stringify(b);
}
