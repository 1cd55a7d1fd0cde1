// The state of the list of a job's rows: which rows, as last fetched, and the selected one.
import type { RowSelection } from '../../../../lib/console/index.js';
import type { RowLoss, RowLosses } from '../../../../lib/contract/index.js';
import { type FetchAction, type Fetched, notFetched, reduceFetched } from '../../core/fetched.js';
import { chosenIndex, moveSelection, type Selection } from '../../core/list.js';
import type { Store } from '../../core/store.js';

export interface RowsState extends Selection {
  readonly jobId: string;
  readonly selection: RowSelection;
  readonly fetched: Fetched<RowLosses>;
}

type RowsAction =
  | { readonly type: 'opened'; readonly jobId: string; readonly selection: RowSelection }
  | { readonly type: 'fetch'; readonly action: FetchAction<RowLosses> }
  | { readonly type: 'move'; readonly distance: number; readonly height: number };

export type RowsStore = Store<RowsState, RowsAction>;

export const initialRows: RowsState = {
  jobId: '',
  selection: { kind: 'worst' },
  fetched: notFetched,
  chosen: null,
  top: 0,
};

export function reduceRows(state: RowsState, action: RowsAction): RowsState {
  switch (action.type) {
    case 'opened':
      return { ...initialRows, jobId: action.jobId, selection: action.selection };
    case 'fetch': {
      const fetched = reduceFetched(state.fetched, action.action);
      return fetched === state.fetched ? state : { ...state, fetched };
    }
    case 'move':
      return moveSelection(state, keyed(rowsIn(state)), action);
  }
}

export function rowsIn({ fetched }: RowsState): readonly RowLoss[] {
  return fetched.value?.rows ?? [];
}

export function chosenRow(state: RowsState): number {
  return chosenIndex(keyed(rowsIn(state)), state.chosen);
}

function keyed(rows: readonly RowLoss[]): { id: string }[] {
  return rows.map(({ row }) => ({ id: String(row) }));
}
