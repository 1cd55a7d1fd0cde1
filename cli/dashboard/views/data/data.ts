// What the trainer would learn, reached from the overview: figures, findings as filters, and rows token by token.
import type { DataFinding } from '../../../../lib/contract/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { fetchInto } from '../../core/fetched.js';
import { listCommands } from '../../core/list.js';
import { createStore } from '../../core/store.js';
import { dataStatus, drawData, listHeight } from './draw.js';
import { chosenRow, type DataStore, initialData, nextFilter, reduceData, rowsIn } from './state.js';

const PAGE = 50;
/** The first time, the project is built and its data uploaded. */
const PATIENCE_MS = 600_000;

interface DataPage {
  readonly context: Context;
  readonly store: DataStore;
}

export function createData(context: Context): View {
  const page = { context, store: createStore(reduceData, initialData, context.changed) };
  return {
    scopes: ['data', 'list', 'anywhere'],
    commands: () => dataCommands(page),
    enter() {
      page.store.dispatch({ type: 'opened' });
      void fetchPage(page, { reload: true });
    },
    leave: () => {},
    draw: canvas => drawData(page.store.state, canvas),
    foot: () => dataStatus(page.store.state),
  };
}

function dataCommands(page: DataPage): Commands {
  const { context, store } = page;
  const { state } = store;
  const height = listHeight(state, context.canvas);
  const hasFindings = (state.fetched.value?.report.findings.length ?? 0) > 0;
  return {
    refresh: () => void fetchPage(page, { reload: true }),
    ...(hasFindings && { nextFilter: () => filter(page, nextFilter(state)) }),
    ...(state.fetched.value && { toggleLengths: () => store.dispatch({ type: 'toggledLengths' }) }),
    ...(state.fetched.value && !state.isMeasuring && { measure: () => void measure(page) }),
    ...(rowsIn(state).length > 0 && listCommands(distance => move(page, distance, height), height)),
  };
}

function filter(page: DataPage, finding: DataFinding | null): void {
  page.store.dispatch({ type: 'filtered', finding });
  void fetchPage(page, {});
}

async function measure(page: DataPage): Promise<void> {
  page.store.dispatch({ type: 'measuring', isMeasuring: true });
  await fetchPage(page, { measure: true });
  page.store.dispatch({ type: 'measuring', isMeasuring: false });
}

/** At the end of the list, it continues with the next page. */
function move(page: DataPage, distance: number, height: number): void {
  const { store } = page;
  store.dispatch({ type: 'move', distance, height });
  const isAtEnd = chosenRow(store.state) === rowsIn(store.state).length - 1;
  const cursor = store.state.fetched.value?.nextCursor ?? null;
  if (distance > 0 && isAtEnd && cursor !== null) void fetchPage(page, { cursor });
}

interface Ask {
  reload?: true;
  measure?: true;
  cursor?: string;
}

async function fetchPage({ context, store }: DataPage, ask: Ask): Promise<void> {
  const { finding, fetched } = store.state;
  const before = ask.cursor === undefined ? [] : rowsIn(store.state);
  const known = ask.reload ? null : (fetched.value?.measurement ?? null);
  await fetchInto(
    context,
    async () => {
      const request = { ...ask, finding: finding ?? undefined, limit: PAGE, tokens: true };
      const found = await context.client.previewData(request, { signal: context.signal });
      return { ...found, rows: [...before, ...found.rows], measurement: found.measurement ?? known };
    },
    action => {
      if (store.state.finding === finding) store.dispatch({ type: 'fetch', action });
    },
    PATIENCE_MS,
  );
}
