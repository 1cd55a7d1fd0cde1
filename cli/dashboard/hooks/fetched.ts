// A fetched value: the last one stays while it is fetched again, and loading is only shown once it takes a while.
import { useCallback, useEffect } from 'react';
import { createPoll } from '../../../lib/clock/index.js';
import { errorText, NO_ANSWER_MS, noAnswer, SLOW_MS } from '../../../lib/console/index.js';
import { type Dashboard, useDashboard, useKept, useShell } from '../dashboard-context.js';
import { merged, type Store } from '../state/store.js';

export interface Fetched<Value> {
  /** Null until the first answer. */
  readonly value: Value | null;
  /** Why the last attempt failed; the value from before stays. */
  readonly problem: string | null;
  /** Nothing has arrived yet, and it is taking a while. */
  readonly isSlow: boolean;
}

type FetchedStore<Value> = Store<Fetched<Value>, Partial<Fetched<Value>>>;

/** What was fetched by this name. */
export const useKeptAnswer = <Value>(name: string) =>
  useKept(name, merged<Fetched<Value>>, { value: null, problem: null, isSlow: false });

/** Fetches and keeps the outcome; nothing changes once the dashboard closes. */
export async function fetchInto<Value>(
  store: FetchedStore<Value>,
  { reach, signal, clock }: Pick<Dashboard, 'reach' | 'signal' | 'clock'>,
  ask: () => Promise<Value>,
  noAnswerMs = NO_ANSWER_MS,
): Promise<void> {
  const put = (part: Partial<Fetched<Value>>) => {
    if (!signal.aborted) store.dispatch(part);
  };
  const slow = clock.after(SLOW_MS, () => put({ isSlow: store.state.value === null }));
  const silence = clock.after(noAnswerMs, () =>
    put({ problem: noAnswer(noAnswerMs).message, isSlow: false }),
  );
  try {
    const value = await reach(ask());
    // The same answer again draws nothing.
    const isSame = JSON.stringify(value) === JSON.stringify(store.state.value);
    put({ ...(!isSame && { value }), problem: null, isSlow: false });
  } catch (error) {
    put({ problem: errorText(error), isSlow: false });
  } finally {
    slow.stop();
    silence.stop();
  }
}

export interface FetchedNow<Value> extends Fetched<Value> {
  refresh(): Promise<void>;
  /** Something else is known to be so: the answer to a change. */
  set(value: Value): void;
}

/**
 * Fetches a value while the component is mounted; with `everyMs`, again and again. `name` tells apart what is kept: the last
 * answer is there at once when the component comes back. All views share the names, and a name has all that `ask` depends on:
 * the question is not renewed while the name is the same.
 */
export function useFetched<Value>(
  name: string,
  ask: (dashboard: Dashboard) => Promise<Value>,
  { everyMs = null }: { readonly everyMs?: number | null } = {},
): FetchedNow<Value> {
  const dashboard = useDashboard();
  const { linkProblem } = useShell();
  const [{ value, problem, isSlow }, store] = useKeptAnswer<Value>(name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is the same as long as its name is
  const refresh = useCallback(() => fetchInto(store, dashboard, () => ask(dashboard)), [dashboard, store]);
  usePoll(refresh, everyMs);
  useEffect(() => {
    if (everyMs === null) void refresh();
  }, [refresh, everyMs]);
  return {
    value,
    // What the notice above every view says is not said twice.
    problem: problem === linkProblem ? null : problem,
    isSlow: isSlow && problem === null,
    refresh,
    set: value => store.dispatch({ value, problem: null }),
  };
}

export const POLL_MS = 5000;

/** Runs something at once and then every few seconds while the component is mounted: never two runs at once, nothing for null. */
export function usePoll(run: () => Promise<unknown>, everyMs: number | null = POLL_MS): void {
  const { clock } = useDashboard();
  useEffect(() => {
    if (everyMs === null) return;
    const poll = createPoll(clock, run, everyMs);
    poll.start();
    return poll.stop;
  }, [clock, run, everyMs]);
}
