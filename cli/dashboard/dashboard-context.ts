// The React context for the dashboard.
import { createContext, useContext } from 'react';
import type { Dashboard } from './create-dashboard.js';
import type { ShellState } from './state/shell-state.js';
import { type Store, useStore } from './state/store.js';

export type { Dashboard } from './create-dashboard.js';

export const DashboardContext = createContext<Dashboard | null>(null);

export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext);
  if (!dashboard) throw new Error('Only a component of the dashboard can use it.');
  return dashboard;
}

export const useShell = (): ShellState => useStore(useDashboard().shell);

/** State that a view keeps while another one is shown. All views share one namespace. */
export function useKept<State, Action>(
  name: string,
  reduce: (state: State, action: Action) => State,
  initial: State,
): readonly [State, Store<State, Action>] {
  const store = useDashboard().keep(name, reduce, initial);
  return [useStore(store), store];
}
