// The playground: a conversation with the selected model.
import { emptyChat } from '../../../../lib/console/index.js';
import type { Context, View } from '../../core/context.js';
import { fetchJobs } from '../../core/fetched.js';
import { createPoll } from '../../core/poll.js';
import { createScroller } from '../../core/scroller.js';
import { createStore } from '../../core/store.js';
import { createAnswers } from './answers.js';
import { chatSource } from './chat-drawing.js';
import { chatCommands, type Playground, pickerCommands, write } from './commands.js';
import { chatRooms, drawPlayground, playgroundStatus } from './draw.js';
import { initialPlayground, reducePlayground } from './state.js';

const SCOPES = ['playground', 'anywhere'] as const;
const PICKER_SCOPES = ['picker', 'list', 'anywhere'] as const;

export function createPlayground(context: Context): View {
  const { changed } = context;
  const store = createStore(reducePlayground, initialPlayground, changed);
  const rooms = () => chatRooms(store.state, context.canvas);
  const scroller = createScroller({
    source: () => chatSource(store.state.chat, rooms().first.width, context.canvas.glyphs),
    height: () => rooms().first.height,
    changed,
  });
  const besideChat = () => store.state.beside?.chat ?? emptyChat;
  const besideScroller = createScroller({
    source: () => chatSource(besideChat(), rooms().second.width, context.canvas.glyphs),
    height: () => rooms().second.height,
    changed,
  });
  const refresh = () => fetchJobs(context, action => store.dispatch({ type: 'fetch', action }));
  // A run may complete while this view is open.
  const poll = createPoll(context.clock, refresh);
  const playground: Playground = {
    context,
    store,
    scroller,
    besideScroller,
    answers: createAnswers(context, {
      chat: () => store.state.chat,
      dispatch: action => store.dispatch({ type: 'chat', action }),
    }),
    besideAnswers: createAnswers(context, {
      chat: besideChat,
      dispatch: action => store.dispatch({ type: 'besideChat', action }),
    }),
    refresh,
  };
  let entered = 0;

  /** Whoever comes to chat with a job can write at once. */
  async function openWith(jobId: string): Promise<void> {
    const own = entered;
    store.dispatch({ type: 'linked', jobId });
    await refresh();
    if (own === entered) write(playground);
  }

  return {
    get scopes() {
      return store.state.picker ? PICKER_SCOPES : SCOPES;
    },
    commands: () => (store.state.picker ? pickerCommands(playground) : chatCommands(playground)),
    enter(job) {
      entered++;
      poll.start();
      if (job !== null) void openWith(job);
    },
    leave() {
      entered++;
      poll.stop();
      store.dispatch({ type: 'leavePicker' });
    },
    draw: canvas =>
      drawPlayground(
        store.state,
        context.identity,
        { first: scroller.rows(), second: besideScroller.rows() },
        canvas,
      ),
    foot: (_canvas, isPrompting) => playgroundStatus(store.state, scroller.isFollowing, isPrompting),
  };
}
