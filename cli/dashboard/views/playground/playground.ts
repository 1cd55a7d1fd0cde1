// The behavior of the playground: sends messages to the selected model and streams its answers.
import { isAnswering, toInferenceRequest } from '../../../../lib/console/index.js';
import type { Target } from '../../../../lib/contract/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { fetchInto, toMessage } from '../../core/fetched.js';
import { listCommands } from '../../core/list.js';
import { createPoll } from '../../core/poll.js';
import { createScroller } from '../../core/scroller.js';
import { createStore } from '../../core/store.js';
import { chatSource } from './chat-drawing.js';
import { CHOOSE_JOB, conversationRoom, drawPlayground, playgroundStatus } from './draw.js';
import { chosenTarget, initialPlayground, lacksJob, offeredJobs, reducePlayground } from './state.js';

const SCOPES = ['playground', 'anywhere'] as const;
const PICKER_SCOPES = ['picker', 'list', 'anywhere'] as const;

export function createPlayground(context: Context): View {
  const { client, changed } = context;
  const store = createStore(reducePlayground, initialPlayground, changed);
  const room = () => conversationRoom(context.canvas);
  const scroller = createScroller({
    source: () => chatSource(store.state.chat, room().width, context.canvas.glyphs),
    height: () => room().height,
    changed,
  });
  // A run may complete while this view is open.
  const poll = createPoll(refresh);
  let answering: AbortController | undefined;

  function refresh(): Promise<void> {
    return fetchInto(
      context,
      async () => (await client.listJobs({ signal: context.signal })).jobs,
      action => store.dispatch({ type: 'fetch', action }),
    );
  }

  function send(question: string): void {
    const chosen = chosenTarget(store.state, context.identity);
    if (!chosen) {
      context.notify('Choose a model first: Esc, then m or p.', 'warning');
      return;
    }
    scroller.reset();
    store.dispatch({ type: 'chat', action: { type: 'asked', question, model: chosen.name } });
    void answer(chosen.target);
  }

  async function answer(target: Target): Promise<void> {
    const stopped = new AbortController();
    answering = stopped;
    const signal = AbortSignal.any([stopped.signal, context.signal]);
    try {
      const request = toInferenceRequest(store.state.chat, target);
      for await (const { choices } of client.chat(request, { signal })) {
        const text = choices[0]?.delta.content ?? '';
        if (text && !signal.aborted) store.dispatch({ type: 'chat', action: { type: 'text', text } });
      }
      if (!signal.aborted) store.dispatch({ type: 'chat', action: { type: 'done' } });
      await context.reach(Promise.resolve());
    } catch (error) {
      if (signal.aborted) return;
      store.dispatch({ type: 'chat', action: { type: 'failed', error: toMessage(error) } });
      await context.reach(Promise.reject(error)).catch(() => {});
    }
    // The first question creates the project.
    context.refreshIdentity();
  }

  function stop(): boolean {
    if (!isAnswering(store.state.chat)) return false;
    answering?.abort();
    store.dispatch({ type: 'chat', action: { type: 'stopped' } });
    return true;
  }

  function write(): void {
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
        send(text.trim());
        return '';
      },
      leave: stop,
    });
  }

  function pick(): void {
    store.dispatch({ type: 'pick' });
    void refresh();
  }

  function nextMode(): void {
    const mode = store.state.mode === 'base' ? 'adapter' : 'base';
    store.dispatch({ type: 'mode', mode });
    if (mode === 'adapter' && !chosenTarget(store.state, context.identity)) pick();
  }

  function pickerCommands(): Commands {
    const { height } = room();
    return {
      leavePicker: () => store.dispatch({ type: 'leavePicker' }),
      refresh: () => void refresh(),
      ...(offeredJobs(store.state).length > 0 && {
        ...listCommands(distance => store.dispatch({ type: 'point', distance, height }), height),
        openChosen: () => store.dispatch({ type: 'choose' }),
      }),
    };
  }

  function commands(): Commands {
    const { chat } = store.state;
    const reply = chat.turns.findLast(turn => turn.reply !== '')?.reply;
    return {
      ...(chat.turns.length > 0 && scroller.commands),
      refresh: () => void refresh(),
      write,
      nextMode,
      pick,
      ...(isAnswering(chat) && { stop: () => void stop() }),
      ...(chat.turns.length > 0 &&
        !isAnswering(chat) && { clearChat: () => store.dispatch({ type: 'clear' }) }),
      ...(reply !== undefined && { copy: () => context.copy(reply, 'the last answer') }),
    };
  }

  return {
    get scopes() {
      return store.state.picker ? PICKER_SCOPES : SCOPES;
    },
    commands: () => (store.state.picker ? pickerCommands() : commands()),
    enter: poll.start,
    leave() {
      poll.stop();
      store.dispatch({ type: 'leavePicker' });
    },
    draw: canvas => drawPlayground(store.state, context.identity, scroller.rows(), canvas),
    foot: (_canvas, isPrompting) => playgroundStatus(store.state, scroller.isFollowing, isPrompting),
  };
}
