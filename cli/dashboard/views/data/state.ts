// The state of the view of what is learned: the preview as last fetched, the finding that filters it, and the selected row.
import type { DataFinding, DataPreview, PreviewRow } from '../../../../lib/contract/index.js';
import { type FetchAction, type Fetched, notFetched, reduceFetched } from '../../core/fetched.js';
import { chosenIndex, moveSelection, type Selection } from '../../core/list.js';
import type { Store } from '../../core/store.js';

export interface DataState extends Selection {
  readonly finding: DataFinding | null;
  readonly fetched: Fetched<DataPreview>;
  readonly isMeasuring: boolean;
  /** Whether the lengths of the rows are shown instead of the chosen one. */
  readonly showsLengths: boolean;
}

type DataAction =
  | { readonly type: 'opened' }
  | { readonly type: 'filtered'; readonly finding: DataFinding | null }
  | { readonly type: 'measuring'; readonly isMeasuring: boolean }
  | { readonly type: 'toggledLengths' }
  | { readonly type: 'fetch'; readonly action: FetchAction<DataPreview> }
  | { readonly type: 'move'; readonly distance: number; readonly height: number };

export type DataStore = Store<DataState, DataAction>;

export const initialData: DataState = {
  finding: null,
  fetched: notFetched,
  isMeasuring: false,
  showsLengths: false,
  chosen: null,
  top: 0,
};

export function reduceData(state: DataState, action: DataAction): DataState {
  switch (action.type) {
    case 'opened':
      return initialData;
    case 'filtered':
      return { ...state, finding: action.finding, chosen: null, top: 0 };
    case 'measuring':
      return { ...state, isMeasuring: action.isMeasuring };
    case 'toggledLengths':
      return { ...state, showsLengths: !state.showsLengths };
    case 'fetch': {
      const fetched = reduceFetched(state.fetched, action.action);
      return fetched === state.fetched ? state : { ...state, fetched };
    }
    case 'move':
      return moveSelection(state, keyed(rowsIn(state)), action);
  }
}

export function rowsIn({ fetched }: DataState): readonly PreviewRow[] {
  return fetched.value?.rows ?? [];
}

export function chosenRow(state: DataState): number {
  return chosenIndex(keyed(rowsIn(state)), state.chosen);
}

/** All rows, then each finding. */
export function nextFilter({ finding, fetched }: DataState): DataFinding | null {
  const filters = [null, ...(fetched.value?.report.findings ?? []).map(({ name }) => name)];
  return filters[(filters.indexOf(finding) + 1) % filters.length] ?? null;
}

function keyed(rows: readonly PreviewRow[]): { id: string }[] {
  return rows.map(({ row }) => ({ id: String(row) }));
}
