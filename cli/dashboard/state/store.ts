// State that only its reducer changes, and that outlives the components which show it.
import { useSyncExternalStore } from 'react';
import type { Clock, Timer } from '../../../lib/clock/index.js';

export interface Store<State, Action> {
  readonly state: State;
  dispatch(action: Action): void;
  /** The same for what comes in great numbers: the state changes now, components hear of it twice a second, or as wanted. */
  dispatchLater(action: Action, everyMs?: number): void;
  /** Components hear now of what they were to hear later. */
  flush(): void;
  subscribe(listener: () => void): () => void;
}

/** As often as one can read figures that change; Ink draws the whole screen each time. */
const TELL_MS = 500;
/** For what one waits for, such as an answer that is being written. */
export const SOON_MS = 100;

export function createStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  initial: State,
  clock: Clock,
): Store<State, Action> {
  const listeners = new Set<() => void>();
  let state = initial;
  let timer: Timer | undefined;
  let told = Number.NEGATIVE_INFINITY;
  let due = Number.POSITIVE_INFINITY;

  function tell(): void {
    timer?.stop();
    timer = undefined;
    due = Number.POSITIVE_INFINITY;
    told = clock.elapsed();
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
    dispatchLater(action, everyMs = TELL_MS) {
      if (!change(action) || told + everyMs >= due) return;
      timer?.stop();
      due = told + everyMs;
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

/** The state, and the component is drawn again when it changes. */
export function useStore<State, Action>(store: Store<State, Action>): State {
  return useSyncExternalStore(store.subscribe, () => store.state);
}

/** A reducer for what is replaced as a whole. */
export const replaced = <State>(_before: State, after: State): State => after;

/** A reducer for what is replaced in part; the same state if nothing differs. */
export function merged<State extends object>(before: State, part: Partial<State>): State {
  const differs = (Object.keys(part) as (keyof State)[]).some(key => !Object.is(part[key], before[key]));
  return differs ? { ...before, ...part } : before;
}
