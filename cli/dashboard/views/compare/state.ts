// The state of a comparison: its runs, how their chart is drawn, and the cursor on its x-axis.
import {
  type ChartChoices,
  type ChartSwitch,
  type CompareAction,
  type CompareView,
  comparedAxis,
  comparedMetric,
  foundRuns,
  initialChoices,
  type RunSeries,
  reduceCompare,
  runSeries,
  startCompare,
} from '../../../../lib/console/index.js';
import { isUuid } from '../../../../lib/contract/index.js';
import { type Store, withPart } from '../../core/store.js';

export interface ComparePageState {
  readonly runs: CompareView;
  readonly choices: ChartChoices;
  /** On the x-axis; null until it is moved. */
  readonly cursor: number | null;
  /** Why runs cannot be looked up. */
  readonly problem: string | null;
}

type ComparePageAction =
  | { readonly type: 'opened'; readonly names: readonly string[] }
  | { readonly type: 'runs'; readonly action: CompareAction }
  | { readonly type: 'cursor'; readonly cursor: number }
  | { readonly type: 'toggle'; readonly what: ChartSwitch }
  | { readonly type: 'chose'; readonly choices: Partial<ChartChoices> }
  | { readonly type: 'problem'; readonly problem: string | null };

export type ComparePageStore = Store<ComparePageState, ComparePageAction>;

export const initialComparePage: ComparePageState = {
  runs: [],
  choices: initialChoices,
  cursor: null,
  problem: null,
};

export function reduceComparePage(state: ComparePageState, action: ComparePageAction): ComparePageState {
  switch (action.type) {
    case 'opened': {
      const runs = startCompare(action.names, isUuid);
      return { runs, choices: { ...state.choices, zoom: null }, cursor: null, problem: null };
    }
    case 'runs':
      return withPart(state, 'runs', reduceCompare(state.runs, action.action));
    case 'cursor':
      return withPart(state, 'cursor', action.cursor);
    case 'toggle':
      return { ...state, choices: { ...state.choices, [action.what]: !state.choices[action.what] } };
    case 'chose': {
      // Another axis counts in other units.
      const cursor = action.choices.x === undefined ? state.cursor : null;
      return { ...state, cursor, choices: { ...state.choices, ...action.choices } };
    }
    case 'problem':
      return withPart(state, 'problem', action.problem);
  }
}

/** The runs whose job is known. */
export function shownRuns({ runs }: ComparePageState): CompareView {
  return foundRuns(runs).filter(({ id }) => id !== null);
}

export function shownSeries(state: ComparePageState): RunSeries[] {
  const runs = shownRuns(state);
  return runSeries(runs, comparedMetric(runs, state.choices), comparedAxis(runs, state.choices));
}
