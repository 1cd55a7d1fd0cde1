// The commands of the playground: those of the conversation and those of the job picker.
import { isAnswering } from '../../../../lib/console/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context } from '../../core/context.js';
import { listCommands } from '../../core/list.js';
import type { Scroller } from '../../core/scroller.js';
import type { Answers } from './answers.js';
import { CHOOSE_JOB, conversationRoom } from './draw.js';
import { chosenTarget, lacksJob, offeredJobs, type PlaygroundStore } from './state.js';

export interface Playground {
  readonly context: Context;
  readonly store: PlaygroundStore;
  readonly scroller: Scroller;
  readonly answers: Answers;
  refresh(): Promise<void>;
}

export function chatCommands(playground: Playground): Commands {
  const { context, store, scroller, answers, refresh } = playground;
  const { chat } = store.state;
  const hasTurns = chat.turns.length > 0;
  const reply = chat.turns.findLast(turn => turn.reply !== '')?.reply;
  return {
    ...(hasTurns && scroller.commands),
    refresh: () => void refresh(),
    write: () => write(playground),
    nextMode: () => nextMode(playground),
    pick: () => pick(playground),
    ...(isAnswering(chat) && { stop: () => void answers.stop() }),
    ...(hasTurns && !isAnswering(chat) && { clearChat: () => store.dispatch({ type: 'clear' }) }),
    ...(reply !== undefined && { copy: () => context.copy(reply, 'the last answer') }),
  };
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

function write(playground: Playground): void {
  const { context, store, answers } = playground;
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
      if (text.trim() === '' || isAnswering(store.state.chat)) return text;
      store.dispatch({ type: 'draft', text: '' });
      send(playground, text.trim());
      return '';
    },
    leave: answers.stop,
  });
}

function send({ context, store, scroller, answers }: Playground, question: string): void {
  const chosen = chosenTarget(store.state, context.identity);
  if (!chosen) {
    context.notify('Choose a model first: Esc, then m or p.', 'warning');
    return;
  }
  scroller.reset();
  answers.ask(question, chosen);
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
