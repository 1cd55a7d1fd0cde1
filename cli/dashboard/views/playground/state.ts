// The state of the playground: the selected model, the conversation and the draft.
import {
  type ChatAction,
  type ChatView,
  completedJobs,
  emptyChat,
  historyBeside,
  keepInSight,
  moveWithin,
  reduceChat,
  shortId,
} from '../../../../lib/console/index.js';
import type { Identity, JobSummary, Target } from '../../../../lib/contract/index.js';
import { type FetchAction, type Fetched, notFetched, reduceFetched } from '../../core/fetched.js';
import { type Store, withPart } from '../../core/store.js';

type Mode = 'base' | 'adapter';

export interface PlaygroundState {
  readonly mode: Mode;
  /** All jobs; only completed ones are offered. */
  readonly jobs: Fetched<readonly JobSummary[]>;
  readonly jobId: string | null;
  readonly chat: ChatView;
  /** A second model that is asked the same; null while there is none. */
  readonly beside: Beside | null;
  readonly draft: string;
  /** The highlighted row while a job is being chosen. */
  readonly picker: { readonly index: number; readonly top: number } | null;
}

type PlaygroundAction =
  | { readonly type: 'fetch'; readonly action: FetchAction<readonly JobSummary[]> }
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'chat' | 'besideChat'; readonly action: ChatAction }
  | { readonly type: 'beside'; readonly model: string | null }
  | { readonly type: 'linked'; readonly jobId: string }
  | { readonly type: 'draft'; readonly text: string }
  | { readonly type: 'pick' | 'leavePicker' | 'choose' | 'clear' }
  | { readonly type: 'point'; readonly distance: number; readonly height: number };

interface Beside {
  /** `base`, or the ID of a job. */
  readonly model: string;
  readonly chat: ChatView;
}

export type PlaygroundStore = Store<PlaygroundState, PlaygroundAction>;

/** A model to chat with and its name. */
export interface ChosenTarget {
  readonly target: Target;
  readonly name: string;
}

const BASE = 'base';

export const initialPlayground: PlaygroundState = {
  mode: 'base',
  jobs: notFetched,
  jobId: null,
  chat: emptyChat,
  beside: null,
  draft: '',
  picker: null,
};

export function reducePlayground(state: PlaygroundState, action: PlaygroundAction): PlaygroundState {
  switch (action.type) {
    case 'fetch':
      return withPart(state, 'jobs', reduceFetched(state.jobs, action.action));
    case 'mode':
      return { ...state, mode: action.mode };
    case 'chat':
      return withPart(state, 'chat', reduceChat(state.chat, action.action));
    case 'besideChat':
      return state.beside
        ? { ...state, beside: withPart(state.beside, 'chat', reduceChat(state.beside.chat, action.action)) }
        : state;
    case 'beside': {
      const { model } = action;
      const chat = state.beside?.chat ?? historyBeside(emptyChat, state.chat);
      return { ...state, beside: model === null ? null : { model, chat } };
    }
    case 'linked':
      return { ...state, mode: 'adapter', jobId: action.jobId, picker: null };
    case 'draft':
      return { ...state, draft: action.text };
    case 'pick':
      return { ...state, picker: { index: Math.max(0, chosenIndex(state)), top: 0 } };
    case 'point':
      return point(state, action.distance, action.height);
    case 'choose': {
      const jobId = offeredJobs(state)[state.picker?.index ?? -1]?.id ?? state.jobId;
      return { ...state, mode: jobId === null ? state.mode : 'adapter', jobId, picker: null };
    }
    case 'leavePicker':
      return { ...state, picker: null };
    case 'clear':
      return { ...state, chat: emptyChat, beside: state.beside && { ...state.beside, chat: emptyChat } };
  }
}

export function offeredJobs({ jobs }: PlaygroundState): JobSummary[] {
  return completedJobs(jobs.value ?? []);
}

/** Null while the model is unknown. */
export function chosenTarget(
  state: PlaygroundState,
  identity: Pick<Identity, 'baseModel'> | null,
): ChosenTarget | null {
  if (state.mode === 'base') {
    if (!identity) return null;
    const { baseModel } = identity;
    return { target: { kind: 'base_model', baseModel }, name: baseModel };
  }
  const job = offeredJobs(state).find(({ id }) => id === state.jobId);
  if (!job) return null;
  const target = { kind: 'adapter', adapter: { kind: 'final', jobId: job.id } } as const;
  return { target, name: `${job.name} (job ${shortId(job.id)})` };
}

/** The models that can answer beside the first: others than that. */
export function besideModels(state: PlaygroundState): string[] {
  const jobs = offeredJobs(state).map(({ id }) => id);
  return state.mode === 'adapter' ? [BASE, ...jobs.filter(id => id !== state.jobId)] : jobs;
}

/** Null without a second model, or while it is unknown. */
export function besideTarget(
  state: PlaygroundState,
  identity: Pick<Identity, 'baseModel'> | null,
): ChosenTarget | null {
  if (!state.beside) return null;
  const { model } = state.beside;
  return chosenTarget({ ...state, mode: model === BASE ? 'base' : 'adapter', jobId: model }, identity);
}

/** The mode is an adapter, but no job is selected. */
export function lacksJob(state: PlaygroundState): boolean {
  return state.mode === 'adapter' && chosenTarget(state, null) === null;
}

function chosenIndex(state: PlaygroundState): number {
  return offeredJobs(state).findIndex(({ id }) => id === state.jobId);
}

function point(state: PlaygroundState, distance: number, height: number): PlaygroundState {
  if (!state.picker) return state;
  const { length } = offeredJobs(state);
  const index = moveWithin(state.picker.index, distance, length);
  return { ...state, picker: { index, top: keepInSight(state.picker.top, index, height, length) } };
}
