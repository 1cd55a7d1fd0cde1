// What views use of their dashboard. It is the same object as long as the dashboard is open; what changes is in its stores.
import { createContext, useContext } from 'react';
import type { OpenEventSource, StudioClient } from '../../lib/client/index.js';
import type { Clock } from '../../lib/clock/index.js';
import type { Location, Tone } from '../../lib/console/index.js';
import type { Prompt, Question, ShellState } from './state/shell-state.js';
import { type Store, useStore } from './state/store.js';
import type { Training } from './state/training.js';

export interface Dashboard {
  readonly client: StudioClient;
  readonly clock: Clock;
  readonly openEventSource: OpenEventSource;
  /** Aborted when the dashboard closes. */
  readonly signal: AbortSignal;
  /** What is around the views: where one is, the question or prompt at the bottom, the notice, the cloud. */
  readonly shell: Store<ShellState, Partial<ShellState>>;
  /**
   * A store by its name, made at its first use: what a view keeps while another one is shown. All views share the names, also
   * those of what is fetched.
   */
  keep<State, Action>(
    name: string,
    reduce: (state: State, action: Action) => State,
    initial: State,
  ): Store<State, Action>;
  /** Passes a response on and notes whether Studio and the cloud are up; `isUpstream` if it came from the cloud. */
  reach<Value>(answer: Promise<Value>, isUpstream?: boolean): Promise<Value>;
  /** Fetches the identity again: the first call that needs a project creates one. */
  refreshIdentity(): void;
  /** Shows one line until the next key press. */
  notify(text: string, tone?: Tone): void;
  ask(question: Question): void;
  /** Opens a text field at the bottom of the screen. */
  prompt(prompt: Prompt): void;
  /** Nothing happens if the location has the address of the one that is shown (`toHash`). */
  go(location: Location): void;
  /** The same, but going back leads past this view. */
  replace(location: Location): void;
  /** Says `Copied the job ID.`, where `what` is `the job ID`. */
  copy(text: string, what: string): void;
  /** The project's trainer and its run. */
  readonly training: Training;
  /** Appends rows to a file, and says so. Missing where there are no files to write. */
  readonly saveRows?: ((file: string, rows: string) => void) | undefined;
}

export const DashboardContext = createContext<Dashboard | null>(null);

export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext);
  if (!dashboard) throw new Error('Only a component of the dashboard can use it.');
  return dashboard;
}

export const useShell = (): ShellState => useStore(useDashboard().shell);

/** What a view keeps while another one is shown. All views share the names. */
export function useKept<State, Action>(
  name: string,
  reduce: (state: State, action: Action) => State,
  initial: State,
): readonly [State, Store<State, Action>] {
  const store = useDashboard().keep(name, reduce, initial);
  return [useStore(store), store];
}
