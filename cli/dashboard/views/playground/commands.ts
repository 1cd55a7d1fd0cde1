// The commands of the playground: those of the conversation and those of the job picker.
import {
  type ChatView,
  canRetry,
  chatRows,
  countChatRows,
  isAnswering,
} from '../../../../lib/console/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context } from '../../core/context.js';
import { listCommands, neighborOf } from '../../core/list.js';
import type { Scroller } from '../../core/scroller.js';
import type { Answers } from './answers.js';
import { CHOOSE_JOB, conversationRoom } from './draw.js';
import {
  besideModels,
  besideTarget,
  chosenTarget,
  lacksJob,
  offeredJobs,
  type PlaygroundStore,
} from './state.js';

export interface Playground {
  readonly context: Context;
  readonly store: PlaygroundStore;
  readonly scroller: Scroller;
  readonly besideScroller: Scroller;
  readonly answers: Answers;
  /** Of the second model. */
  readonly besideAnswers: Answers;
  refresh(): Promise<void>;
}

export function chatCommands(playground: Playground): Commands {
  const { context, store, refresh } = playground;
  const { chat, beside } = store.state;
  const hasTurns = chat.turns.length > 0;
  const isBusy = isAnswering(chat) || isBesideBusy(store);
  const reply = chat.turns.findLast(turn => turn.reply !== '')?.reply;
  return {
    ...(hasTurns && scrollCommands(playground)),
    refresh: () => void refresh(),
    write: () => write(playground),
    nextMode: () => nextMode(playground),
    pick: () => pick(playground),
    toggleBeside: () => toggleBeside(playground),
    ...(beside && {
      nextBeside: () =>
        store.dispatch({ type: 'beside', model: neighborOf(besideModels(store.state), beside.model, 1) }),
      ...saveCommand('saveBeside', beside.chat, context),
    }),
    ...saveCommand('saveRows', chat, context),
    ...(isBusy && { stop: () => void stopAll(playground) }),
    ...(canRetry(chat) && !isBusy && { retry: () => retry(playground) }),
    ...(hasTurns && !isBusy && { clearChat: () => store.dispatch({ type: 'clear' }) }),
    ...(reply !== undefined && { copy: () => context.copy(reply, 'the last answer') }),
  };
}

/** Both conversations scroll together. */
function scrollCommands({ scroller, besideScroller, store }: Playground): Commands {
  if (!store.state.beside) return scroller.commands;
  const [first, second] = [scroller.commands, besideScroller.commands];
  const names = Object.keys({ ...first, ...second }) as (keyof Commands)[];
  return Object.fromEntries(
    names.map(name => [
      name,
      () => {
        first[name]?.();
        second[name]?.();
      },
    ]),
  );
}

function isBesideBusy({ state }: PlaygroundStore): boolean {
  return state.beside !== null && isAnswering(state.beside.chat);
}

function stopAll({ answers, besideAnswers, store }: Playground): boolean {
  const wasBusy = store.state.beside !== null && besideAnswers.stop();
  return answers.stop() || wasBusy;
}

function retry({ context, store, scroller, besideScroller, answers, besideAnswers }: Playground): void {
  const { state } = store;
  const chosen = chosenTarget(state, context.identity);
  const second = besideTarget(state, context.identity);
  scroller.reset();
  besideScroller.reset();
  if (chosen) answers.retry(chosen);
  if (second && state.beside && canRetry(state.beside.chat)) besideAnswers.retry(second);
}

function toggleBeside({ context, store }: Playground): void {
  const { beside } = store.state;
  if (beside) {
    store.dispatch({ type: 'beside', model: null });
    return;
  }
  const [model] = besideModels(store.state);
  if (model === undefined) {
    const why = store.state.jobs.value
      ? 'No completed jobs yet: there is no second model to ask.'
      : 'The jobs have not loaded yet.';
    context.notify(why, 'warning');
    return;
  }
  store.dispatch({ type: 'beside', model });
  context.notify('The second model answers from your next message on.');
}

/** Offered where there are answers to keep and a place for them. */
function saveCommand(name: 'saveRows' | 'saveBeside', { turns }: ChatView, context: Context): Commands {
  const { saveRows } = context;
  if (!saveRows || countChatRows(turns) === 0) return {};
  const ask = () =>
    context.prompt({
      scope: 'saving',
      label: 'Append rows to: ',
      value: 'rows.jsonl',
      submit(file) {
        if (file.trim() === '') return file;
        saveRows(file.trim(), chatRows(turns));
        return null;
      },
    });
  return { [name]: ask };
}

export function pickerCommands({ context, store, refresh }: Playground): Commands {
  const { height } = conversationRoom(context.canvas);
  return {
    leavePicker: () => store.dispatch({ type: 'leavePicker' }),
    refresh: () => void refresh(),
    ...(offeredJobs(store.state).length > 0 && {
      ...listCommands(distance => store.dispatch({ type: 'point', distance, height }), height),
      openChosen: () => store.dispatch({ type: 'choose' }),
    }),
  };
}

export function write(playground: Playground): void {
  const { context, store } = playground;
  if (lacksJob(store.state)) {
    context.notify(`No job selected. ${CHOOSE_JOB}`, 'warning');
    return;
  }
  context.prompt({
    scope: 'message',
    label: `${context.canvas.glyphs.prompt} `,
    value: store.state.draft,
    change: text => store.dispatch({ type: 'draft', text }),
    submit(text) {
      if (text.trim() === '' || isAnswering(store.state.chat) || isBesideBusy(store)) return text;
      store.dispatch({ type: 'draft', text: '' });
      send(playground, text.trim());
      return '';
    },
    leave: () => stopAll(playground),
  });
}

function send(playground: Playground, question: string): void {
  const { context, store, scroller, besideScroller, answers, besideAnswers } = playground;
  const chosen = chosenTarget(store.state, context.identity);
  if (!chosen) {
    context.notify('Choose a model first: Esc, then m or p.', 'warning');
    return;
  }
  const second = besideTarget(store.state, context.identity);
  scroller.reset();
  besideScroller.reset();
  answers.ask(question, chosen);
  if (second) besideAnswers.ask(question, second);
}

function nextMode(playground: Playground): void {
  const { context, store } = playground;
  const mode = store.state.mode === 'base' ? 'adapter' : 'base';
  store.dispatch({ type: 'mode', mode });
  if (mode === 'adapter' && !chosenTarget(store.state, context.identity)) pick(playground);
}

function pick({ store, refresh }: Playground): void {
  store.dispatch({ type: 'pick' });
  void refresh();
}
