// Fetched values: the last value stays during a refresh, and loading is only shown after a delay.
import { useCallback, useEffect } from 'react';
import { createPoll } from '../../../lib/clock/index.js';
import { errorText, isAway, NO_RESPONSE_MS, noResponse, SLOW_MS } from '../../../lib/console/index.js';
import type { ServedModel } from '../../../lib/contract/index.js';
import { type Dashboard, useDashboard, useKept, useShell } from '../dashboard-context.js';
import { merged, type Store } from '../state/store.js';

export interface Fetched<Value> {
  /** Null until the first response. */
  readonly value: Value | null;
  /** Why the last attempt failed; the previous value stays. */
  readonly problem: string | null;
  /** The first response is taking a while. */
  readonly isSlow: boolean;
}

type FetchedStore<Value> = Store<Fetched<Value>, Partial<Fetched<Value>>>;

/** The last response stored under this name. */
export const useKeptResponse = <Value>(name: string) =>
  useKept(name, merged<Fetched<Value>>, { value: null, problem: null, isSlow: false });

/** The requests for a stored value, which are numbered. */
interface Requests {
  /** The latest that was sent. */
  sent: number;
  /** The latest that was answered: what comes of earlier ones is out of date. */
  answered: number;
  /** The latest that failed. */
  failed: number;
  /** How often the value was changed by what a person did. */
  changes: number;
}

const allRequests = new WeakMap<object, Requests>();

function requestsOf(store: object): Requests {
  const requests = allRequests.get(store) ?? { sent: 0, answered: 0, failed: 0, changes: 0 };
  allRequests.set(store, requests);
  return requests;
}

/** Changes what is stored, and has requests that are under way asked again. */
export function changeStored<Value>(
  store: FetchedStore<Value>,
  change: (value: Value | null) => Value | null,
): void {
  requestsOf(store).changes++;
  store.dispatch({ value: change(store.state.value), problem: null });
}

interface FetchOptions {
  readonly noResponseMs?: number;
  /**
   * The request goes on from what is stored: it is sent again if that was replaced meanwhile, and the response to an
   * earlier one still counts.
   */
  readonly isContinuing?: boolean;
}

/**
 * Fetches a value and stores the outcome, unless a later request was answered first; nothing changes once the
 * dashboard closes. A response to what was asked before a change may not have it yet, so it is asked again.
 */
export async function fetchInto<Value>(
  store: FetchedStore<Value>,
  { reach, signal, clock }: Pick<Dashboard, 'reach' | 'signal' | 'clock'>,
  ask: () => Promise<Value>,
  { noResponseMs = NO_RESPONSE_MS, isContinuing = false }: FetchOptions = {},
): Promise<void> {
  const requests = requestsOf(store);
  let number = requests.answered;
  const put = (part: Partial<Fetched<Value>>) => {
    if (!signal.aborted && number >= requests.answered) store.dispatch(part);
  };
  const slow = clock.after(SLOW_MS, () => put({ isSlow: store.state.value === null }));
  const silence = clock.after(noResponseMs, () =>
    put({ problem: noResponse(noResponseMs).message, isSlow: false }),
  );
  try {
    let value: Value;
    let before: number;
    do {
      before = requests.changes;
      number = isContinuing ? requests.answered : ++requests.sent;
      value = await reach(ask());
    } while (requests.changes !== before || (isContinuing && requests.answered !== number));
    // An unchanged response causes no re-render.
    const isSame = JSON.stringify(value) === JSON.stringify(store.state.value);
    put({ ...(!isSame && { value }), problem: null, isSlow: false });
    requests.answered = Math.max(requests.answered, number);
  } catch (error) {
    requests.failed = Math.max(requests.failed, number);
    put({ problem: errorText(error), isSlow: false });
  } finally {
    slow.stop();
    silence.stop();
  }
}

export interface FetchedNow<Value> extends Fetched<Value> {
  refresh(): Promise<void>;
  /** Changes the value directly, for example to the response to a change. */
  update(change: (value: Value | null) => Value | null): void;
}

/**
 * Fetches a value while the component is mounted: with `everyMs`, repeatedly, and otherwise again if it failed
 * and the cloud is back. The last response is stored under `name`, so it is there at once when the component is
 * mounted again. All views share one namespace, and the name must contain everything `ask` depends on: `ask` is
 * not updated while the name stays the same.
 */
export function useFetched<Value>(
  name: string,
  ask: (dashboard: Dashboard) => Promise<Value>,
  { everyMs = null }: { readonly everyMs?: number | null } = {},
): FetchedNow<Value> {
  const dashboard = useDashboard();
  const { link, linkProblem } = useShell();
  const isReachable = !isAway(link);
  const [{ value, problem, isSlow }, store] = useKeptResponse<Value>(name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is the same as long as its name is
  const refresh = useCallback(() => fetchInto(store, dashboard, () => ask(dashboard)), [dashboard, store]);
  usePoll(refresh, everyMs);
  useEffect(() => {
    if (everyMs === null) void refresh();
  }, [refresh, everyMs]);
  // What was read stays as it is until someone asks.
  useEffect(() => {
    const { sent, failed } = requestsOf(store);
    if (everyMs === null && isReachable && failed === sent) void refresh();
  }, [refresh, everyMs, isReachable, store]);
  return {
    value,
    // The notice above every view already shows this problem.
    problem: problem === linkProblem ? null : problem,
    isSlow: isSlow && problem === null,
    refresh,
    update: change => changeStored(store, change),
  };
}

export const POLL_MS = 5000;

/**
 * Calls `run` immediately and then periodically while the component is mounted. Runs never overlap; null
 * turns polling off.
 */
export function usePoll(run: () => Promise<unknown>, everyMs: number | null = POLL_MS): void {
  const { clock } = useDashboard();
  useEffect(() => {
    if (everyMs === null) return;
    const poll = createPoll(clock, run, everyMs);
    poll.start();
    return poll.stop;
  }, [clock, run, everyMs]);
}

/** The cloud's base model. Null until it is known. */
export function useBaseModel(): ServedModel | null {
  const { getBaseModel, noticeModel } = useDashboard();
  const { value } = useFetched('base model', getBaseModel, { everyMs: POLL_MS });
  const model = value?.baseModel ?? null;
  useEffect(() => noticeModel(model?.name), [noticeModel, model?.name]);
  return model;
}
