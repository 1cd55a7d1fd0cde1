// The requests that an endpoint keeps: looked at, marked and corrected.
import {
  deleteKeptQuestion,
  discardQuestion,
  questionText,
  toCorrection,
} from '../../../../lib/console/index.js';
import type { KeptRequest, KeptRequestChange } from '../../../../lib/contract/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { fetchInto, toMessage } from '../../core/fetched.js';
import { listCommands } from '../../core/list.js';
import { createStore } from '../../core/store.js';
import { drawKept, keptStatus, listHeight } from './draw.js';
import {
  chosenKept,
  initialKept,
  type KeptState,
  type KeptStore,
  keptIn,
  nextFilter,
  reduceKept,
} from './state.js';

const PAGE = 50;

interface KeptPage {
  readonly context: Context;
  readonly store: KeptStore;
}

export function createKept(context: Context): View {
  const store = createStore(reduceKept, initialKept, context.changed);
  const page = { context, store };
  return {
    scopes: ['kept', 'list', 'anywhere'],
    commands: () => keptCommands(page),
    enter: id => open(page, id ?? '', undefined),
    leave: () => {},
    draw: canvas => drawKept(store.state, canvas),
    foot: () => keptStatus(store.state),
  };
}

function keptCommands(page: KeptPage): Commands {
  const { context, store } = page;
  const { deploymentId, filter } = store.state;
  const height = listHeight(store.state, context.canvas);
  const request = keptIn(store.state)[chosenKept(store.state)];
  return {
    refresh: () => void fetchPage(page),
    nextFilter: () => open(page, deploymentId, nextFilter(filter)),
    ...(request && {
      ...listCommands(distance => move(page, distance, height), height),
      copy: () => context.copy(request.id, 'the request ID'),
      markGood: () => mark(page, request, 'good'),
      markBad: () => mark(page, request, 'bad'),
      unmark: () => mark(page, request, 'none'),
      correct: () => askCorrection(page, request),
      deleteKept: () =>
        context.ask({ text: questionText(deleteKeptQuestion()), yes: () => void remove(page, request) }),
    }),
  };
}

function open(page: KeptPage, deploymentId: string, filter: KeptState['filter']): void {
  page.store.dispatch({ type: 'opened', deploymentId, filter });
  void fetchPage(page);
}

/** At the end of the list, it continues with the next page. */
function move(page: KeptPage, distance: number, height: number): void {
  const { store } = page;
  store.dispatch({ type: 'move', distance, height });
  const isAtEnd = chosenKept(store.state) === keptIn(store.state).length - 1;
  const cursor = store.state.fetched.value?.nextCursor ?? null;
  if (distance > 0 && isAtEnd && cursor !== null) void fetchPage(page, cursor);
}

async function fetchPage({ context, store }: KeptPage, cursor?: string): Promise<void> {
  const { deploymentId, filter } = store.state;
  const before = cursor === undefined ? [] : keptIn(store.state);
  await fetchInto(
    context,
    async () => {
      const asked = { mark: filter, limit: PAGE, cursor };
      const found = await context.client.listKeptRequests(deploymentId, asked, { signal: context.signal });
      return { ...found, requests: [...before, ...found.requests] };
    },
    action => {
      if (store.state.deploymentId === deploymentId && store.state.filter === filter)
        store.dispatch({ type: 'fetch', action });
    },
  );
}

function mark(page: KeptPage, request: KeptRequest, to: 'good' | 'bad' | 'none'): void {
  const act = () => void change(page, request, { mark: to });
  if (request.correction) page.context.ask({ text: questionText(discardQuestion()), yes: act });
  else act();
}

/** A text field has one line, so a longer answer is typed anew. */
function askCorrection(page: KeptPage, request: KeptRequest): void {
  const said = (request.correction ?? request.answer).content ?? '';
  page.context.prompt({
    scope: 'correction',
    label: 'Correct answer: ',
    value: said.includes('\n') ? '' : said,
    submit(text) {
      const correction = toCorrection(text);
      if (correction) void change(page, request, { correction });
      return correction ? null : text;
    },
  });
}

async function change(page: KeptPage, { id }: KeptRequest, changed: KeptRequestChange): Promise<void> {
  const { client, reach, signal } = page.context;
  const { deploymentId } = page.store.state;
  await orNotify(page, async () => {
    const { request } = await reach(client.updateKeptRequest(deploymentId, id, changed, { signal }));
    page.store.dispatch({ type: 'changed', request });
  });
}

async function remove(page: KeptPage, { id }: KeptRequest): Promise<void> {
  const { client, reach, signal } = page.context;
  await orNotify(page, async () => {
    await reach(client.deleteKeptRequest(page.store.state.deploymentId, id, { signal }));
    await fetchPage(page);
  });
}

async function orNotify({ context }: KeptPage, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!context.signal.aborted) context.notify(toMessage(error), 'failed');
  }
}
