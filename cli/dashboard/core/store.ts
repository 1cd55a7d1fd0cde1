// State that only its reducer changes. `changed` is called only when something did change.

export interface Store<State, Action> {
  readonly state: State;
  dispatch(action: Action): void;
}

export function createStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  initial: State,
  changed: () => void,
): Store<State, Action> {
  let state = initial;
  return {
    get state() {
      return state;
    },
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      changed();
    },
  };
}

/** The state with one part replaced; the same state if the part is the same. */
export function withPart<State, Key extends keyof State>(state: State, key: Key, part: State[Key]): State {
  return state[key] === part ? state : { ...state, [key]: part };
}
