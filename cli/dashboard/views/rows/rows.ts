// The rows of a job by their loss: all, those whose loss rises, or those of a step.
import { type RowSelection, toRowRequest } from '../../../../lib/console/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { fetchInto } from '../../core/fetched.js';
import { listCommands } from '../../core/list.js';
import { createStore } from '../../core/store.js';
import { drawRows, listHeight, rowsStatus } from './draw.js';
import { chosenRow, initialRows, type RowsStore, reduceRows, rowsIn } from './state.js';

const PAGE = 100;

interface RowsPage {
  readonly context: Context;
  readonly store: RowsStore;
}

export function createRows(context: Context): View {
  const store = createStore(reduceRows, initialRows, context.changed);
  const page = { context, store };
  return {
    scopes: ['rows', 'list', 'anywhere'],
    commands: () => rowsCommands(page),
    enter(id, rows) {
      const selection: RowSelection =
        typeof rows === 'number' ? { kind: 'step', step: rows } : { kind: 'worst' };
      open(page, id ?? '', selection);
    },
    leave: () => {},
    draw: canvas => drawRows(store.state, canvas),
    foot: () => rowsStatus(store.state),
  };
}

function rowsCommands(page: RowsPage): Commands {
  const { context, store } = page;
  const { jobId, selection } = store.state;
  const height = listHeight(store.state, context.canvas);
  return {
    refresh: () => void fetchPage(page),
    copy: () => context.copy(jobId, 'the job ID'),
    ...(selection.kind !== 'step' && {
      nextFilter: () => open(page, jobId, { kind: selection.kind === 'worst' ? 'rising' : 'worst' }),
    }),
    ...(rowsIn(store.state).length > 0 && listCommands(distance => move(page, distance, height), height)),
  };
}

function open(page: RowsPage, jobId: string, selection: RowSelection): void {
  page.store.dispatch({ type: 'opened', jobId, selection });
  void fetchPage(page);
}

/** At the end of the list, it continues with the next page. */
function move(page: RowsPage, distance: number, height: number): void {
  const { store } = page;
  store.dispatch({ type: 'move', distance, height });
  const isAtEnd = chosenRow(store.state) === rowsIn(store.state).length - 1;
  const cursor = store.state.fetched.value?.nextCursor ?? null;
  if (distance > 0 && isAtEnd && cursor !== null) void fetchPage(page, cursor);
}

async function fetchPage({ context, store }: RowsPage, cursor?: string): Promise<void> {
  const { jobId, selection } = store.state;
  const before = cursor === undefined ? [] : rowsIn(store.state);
  await fetchInto(
    context,
    async () => {
      const request = { ...toRowRequest(selection), limit: PAGE, cursor };
      const found = await context.client.listJobRows(jobId, request, { signal: context.signal });
      return { ...found, rows: [...before, ...found.rows] };
    },
    action => {
      if (store.state.jobId === jobId && store.state.selection === selection)
        store.dispatch({ type: 'fetch', action });
    },
  );
}
