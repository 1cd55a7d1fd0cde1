// The playground: a conversation with the selected model.
import type { Context, View } from '../../core/context.js';
import { fetchJobs } from '../../core/fetched.js';
import { createPoll } from '../../core/poll.js';
import { createScroller } from '../../core/scroller.js';
import { createStore } from '../../core/store.js';
import { createAnswers } from './answers.js';
import { chatSource } from './chat-drawing.js';
import { chatCommands, type Playground, pickerCommands } from './commands.js';
import { conversationRoom, drawPlayground, playgroundStatus } from './draw.js';
import { initialPlayground, reducePlayground } from './state.js';

const SCOPES = ['playground', 'anywhere'] as const;
const PICKER_SCOPES = ['picker', 'list', 'anywhere'] as const;

export function createPlayground(context: Context): View {
  const { changed } = context;
  const store = createStore(reducePlayground, initialPlayground, changed);
  const room = () => conversationRoom(context.canvas);
  const scroller = createScroller({
    source: () => chatSource(store.state.chat, room().width, context.canvas.glyphs),
    height: () => room().height,
    changed,
  });
  const refresh = () => fetchJobs(context, action => store.dispatch({ type: 'fetch', action }));
  // A run may complete while this view is open.
  const poll = createPoll(refresh);
  const playground: Playground = {
    context,
    store,
    scroller,
    answers: createAnswers(context, store),
    refresh,
  };

  return {
    get scopes() {
      return store.state.picker ? PICKER_SCOPES : SCOPES;
    },
    commands: () => (store.state.picker ? pickerCommands(playground) : chatCommands(playground)),
    enter: poll.start,
    leave() {
      poll.stop();
      store.dispatch({ type: 'leavePicker' });
    },
    draw: canvas => drawPlayground(store.state, context.identity, scroller.rows(), canvas),
    foot: (_canvas, isPrompting) => playgroundStatus(store.state, scroller.isFollowing, isPrompting),
  };
}
