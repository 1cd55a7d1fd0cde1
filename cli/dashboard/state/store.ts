// State that only its reducer changes, and that outlives the components that use it.
import { useSyncExternalStore } from 'react';
import type { Clock, Timer } from '../../../lib/clock/index.js';

export interface Store<State, Action> {
  readonly state: State;
  dispatch(action: Action): void;
  /**
   * Like `dispatch`, for frequent updates: the state changes now, but components are notified only twice a
   * second, or at the given interval.
   */
  dispatchLater(action: Action, everyMs?: number): void;
  /** Notifies components of pending changes now. */
  flush(): void;
  subscribe(listener: () => void): () => void;
}

/** About as fast as people can read changing figures; Ink redraws the whole screen each time. */
const NOTIFY_MS = 500;
/** For output that the user is waiting for, such as a streaming answer. */
export const SOON_MS = 100;

export function createStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  initial: State,
  clock: Clock,
): Store<State, Action> {
  const listeners = new Set<() => void>();
  let state = initial;
  let timer: Timer | undefined;
  let notifiedAt = Number.NEGATIVE_INFINITY;
  let due = Number.POSITIVE_INFINITY;

  function tell(): void {
    timer?.stop();
    timer = undefined;
    due = Number.POSITIVE_INFINITY;
    notifiedAt = clock.elapsed();
    for (const listener of [...listeners]) listener();
  }

  function change(action: Action): boolean {
    const before = state;
    state = reduce(state, action);
    return state !== before;
  }

  return {
    get state() {
      return state;
    },
    dispatch(action) {
      if (change(action)) tell();
    },
    dispatchLater(action, everyMs = NOTIFY_MS) {
      if (!change(action) || notifiedAt + everyMs >= due) return;
      timer?.stop();
      due = notifiedAt + everyMs;
      timer = clock.after(Math.max(0, due - clock.elapsed()), tell);
    },
    flush() {
      if (timer) tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The store's state; re-renders the component when it changes. */
export function useStore<State, Action>(store: Store<State, Action>): State {
  return useSyncExternalStore(store.subscribe, () => store.state);
}

/** A reducer that replaces the state. */
export const replaced = <State>(_before: State, after: State): State => after;

/** A reducer that merges partial state; returns the same object if nothing differs. */
export function merged<State extends object>(before: State, part: Partial<State>): State {
  const differs = (Object.keys(part) as (keyof State)[]).some(key => !Object.is(part[key], before[key]));
  return differs ? { ...before, ...part } : before;
}
