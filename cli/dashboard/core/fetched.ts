// A fetched value: the last one stays while it is fetched again, and loading is only shown once it takes a while.
import { errorText, NO_ANSWER_MS, noAnswer } from '../../../lib/console/index.js';
import type { JobSummary } from '../../../lib/contract/index.js';
import type { Context } from './context.js';

export interface Fetched<Value> {
  readonly value: Value | null;
  readonly problem: string | null;
  /** Nothing has arrived yet, and it is taking a while. */
  readonly isSlow: boolean;
}

export type FetchAction<Value> =
  | { readonly type: 'slow' }
  | { readonly type: 'fetched'; readonly value: Value }
  | { readonly type: 'refused'; readonly problem: string };

export const notFetched: Fetched<never> = { value: null, problem: null, isSlow: false };

export const SLOW_MS = 150;

export function reduceFetched<Value>(state: Fetched<Value>, action: FetchAction<Value>): Fetched<Value> {
  switch (action.type) {
    case 'slow':
      return state.value === null && !state.isSlow ? { ...state, isSlow: true } : state;
    case 'fetched':
      return state.value === action.value && state.problem === null
        ? state
        : { value: action.value, problem: null, isSlow: false };
    case 'refused':
      return state.problem === action.problem ? state : { ...state, problem: action.problem, isSlow: false };
  }
}

/** Fetches and dispatches the outcome; dispatches nothing once the dashboard closes. */
export async function fetchInto<Value>(
  { reach, signal, clock }: Pick<Context, 'reach' | 'signal' | 'clock'>,
  ask: () => Promise<Value>,
  dispatch: (action: FetchAction<Value>) => void,
  noAnswerMs = NO_ANSWER_MS,
): Promise<void> {
  const slow = clock.after(SLOW_MS, () => dispatch({ type: 'slow' }));
  const silence = clock.after(noAnswerMs, () => {
    if (!signal.aborted) dispatch({ type: 'refused', problem: noAnswer(noAnswerMs).message });
  });
  try {
    const value = await reach(ask());
    if (!signal.aborted) dispatch({ type: 'fetched', value });
  } catch (error) {
    if (!signal.aborted) dispatch({ type: 'refused', problem: toMessage(error) });
  } finally {
    slow.stop();
    silence.stop();
  }
}

/** The job list, which two views show. */
export function fetchJobs(
  context: Pick<Context, 'client' | 'reach' | 'signal' | 'clock'>,
  dispatch: (action: FetchAction<readonly JobSummary[]>) => void,
): Promise<void> {
  const { client, signal } = context;
  return fetchInto(context, async () => (await client.listJobs({ signal })).jobs, dispatch);
}

export const toMessage = errorText;
