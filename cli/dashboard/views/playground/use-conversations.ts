// The conversation with the chosen model, and a second one with another model that gets the same questions.
// Both are kept while another view is shown.
import {
  BASE_MODEL,
  type ChatAction,
  type ChatModel,
  type ChatSampling,
  type ChatView,
  canRetry,
  chatRows,
  chatSampling,
  completedJobs,
  countChatRows,
  emptyChat,
  errorText,
  findChatModel,
  historyBeside,
  isAnswering,
  reduceChat,
  toInferenceRequest,
  watchPreparing,
} from '../../../../lib/console/index.js';
import { type Dashboard, useDashboard, useKept, useShell } from '../../dashboard-context.js';
import { useBaseModel } from '../../hooks/fetched.js';
import { useJobs } from '../../hooks/use-jobs.js';
import { neighborOf } from '../../hooks/use-list.js';
import type { Commands } from '../../keys/bindings.js';
import { merged, SOON_MS, type Store } from '../../state/store.js';

interface Choice {
  readonly mode: 'base' | 'adapter';
  readonly jobId: string | null;
  /** The second model: `base` or a job ID. */
  readonly beside: string | null;
  readonly draft: string;
  readonly isThoughtOpen: boolean;
}

const initialChoice: Choice = { mode: 'base', jobId: null, beside: null, draft: '', isThoughtOpen: false };

/** Replaces the whole conversation. */
type ConversationAction = ChatAction | ChatView;
type Conversation = Store<ChatView, ConversationAction>;

const reduceConversation = (chat: ChatView, action: ConversationAction) =>
  'turns' in action ? action : reduceChat(chat, action);

const useConversation = (name: string) =>
  useKept<ChatView, ConversationAction>(name, reduceConversation, emptyChat);

export type Conversations = ReturnType<typeof useConversations>;

/** The job whose adapter is chatted with; null for the base model. */
export function useChosenJob(): string | null {
  const [{ mode, jobId }] = useKept('playground', merged<Choice>, initialChoice);
  return mode === 'adapter' ? jobId : null;
}

export function useConversations() {
  const all = useJobs();
  const dashboard = useDashboard();
  const { notify, copy } = dashboard;
  const { identity } = useShell();
  const [choice, { dispatch: choose }] = useKept('playground', merged<Choice>, initialChoice);
  const [chat, first] = useConversation('chat');
  const [besideChat, second] = useConversation('chat beside');
  const facts = useBaseModel()?.facts;
  const sampling = chatSampling(facts);
  const { mode, jobId, beside, draft, isThoughtOpen } = choice;
  const offered = completedJobs(all.jobs ?? []);
  const find = (id: string | null) => findChatModel(id, offered, identity);
  const chosen = mode === 'base' ? BASE_MODEL : jobId;
  const models = { adapter: find(jobId), model: find(chosen), besideModel: find(beside) };
  const isBusy = isAnswering(chat) || isAnswering(besideChat);
  const reply = chat.turns.findLast(turn => turn.reply !== '')?.reply;
  const hasThoughts = [...chat.turns, ...besideChat.turns].some(({ thought }) => thought !== '');
  const others = [BASE_MODEL, ...offered.map(({ id }) => id)].filter(id => id !== chosen);

  function askBoth(question?: string): void {
    const { model, besideModel } = models;
    if (model) void ask(dashboard, first, { ...model, sampling }, question);
    if (besideModel && (question !== undefined || canRetry(besideChat)))
      void ask(dashboard, second, { ...besideModel, sampling }, question);
  }
  function send(): void {
    const question = draft.trim();
    if (question === '' || isBusy) return;
    if (models.model) {
      choose({ draft: '' });
      askBoth(question);
    } else notify('Choose a model first: Esc, then m or p.', 'warning');
  }
  function toggleBeside(): void {
    const next = beside === null ? others[0] : null;
    if (next === undefined) {
      const none = 'No completed jobs yet: there is no second model to ask.';
      notify(all.jobs ? none : 'The jobs have not loaded yet.', 'warning');
      return;
    }
    choose({ beside: next });
    second.dispatch(next === null ? emptyChat : historyBeside(emptyChat, chat));
    if (next !== null) notify('The second model answers from your next message on.');
  }
  const dispatchBoth = (action: { type: 'stopped' } | ChatView) => () => {
    first.dispatch(action);
    second.dispatch(action);
  };

  const commands: Commands = {
    toggleBeside,
    ...(beside !== null && {
      nextBeside: () => choose({ beside: neighborOf(others, beside, 1) }),
      saveBeside: saveCommand(dashboard, besideChat),
    }),
    ...(hasThoughts && { toggleThoughts: () => choose({ isThoughtOpen: !isThoughtOpen }) }),
    saveRows: saveCommand(dashboard, chat),
    ...(isBusy && { stop: dispatchBoth({ type: 'stopped' }) }),
    ...(canRetry(chat) && !isBusy && { retry: () => askBoth(), clearChat: dispatchBoth(emptyChat) }),
    copy: reply === undefined ? undefined : () => copy(reply, 'the last answer'),
  };
  return { ...choice, ...models, facts, sampling, choose, all, offered, chat, besideChat, send, commands };
}

/**
 * Sends a question, or repeats the last one if there is none. Stops streaming once the conversation no longer
 * waits for the answer.
 */
async function ask(
  { client, reach, signal, refreshIdentity, clock }: Dashboard,
  chat: Conversation,
  { target, name: model, sampling }: ChatModel & { sampling: ChatSampling },
  question?: string,
): Promise<void> {
  chat.dispatch(question === undefined ? { type: 'retried', model } : { type: 'asked', question, model });
  const ended = new AbortController();
  const forget = chat.subscribe(() => {
    if (!isAnswering(chat.state)) ended.abort();
  });
  const begun = new AbortController();
  void watchPreparing({
    readBaseModel: () => client.getBaseModel({ signal: begun.signal }),
    onPreparing: waitsFor => chat.dispatch({ type: 'waits', waitsFor }),
    signal: AbortSignal.any([begun.signal, ended.signal, signal]),
    clock,
  });
  try {
    const request = toInferenceRequest(chat.state, target, sampling);
    const chunks = client.chat(request, { signal: AbortSignal.any([ended.signal, signal]) });
    for await (const { choices } of chunks) {
      const { reasoning_content: thought, content: text } = choices[0]?.delta ?? {};
      if (ended.signal.aborted) continue;
      if (thought || text) begun.abort();
      if (thought) chat.dispatchLater({ type: 'thought', text: thought }, SOON_MS);
      if (text) chat.dispatchLater({ type: 'text', text }, SOON_MS);
    }
    if (ended.signal.aborted) return;
    chat.dispatch({ type: 'done' });
    await reach(Promise.resolve());
  } catch (error) {
    if (ended.signal.aborted || signal.aborted) return;
    chat.dispatch({ type: 'failed', error: errorText(error) });
    await reach(Promise.reject(error)).catch(() => {});
  } finally {
    begun.abort();
    forget();
  }
  // The first question creates the project.
  refreshIdentity();
}

/** Undefined if there are no answers to save or files cannot be written. */
function saveCommand({ prompt, saveRows }: Dashboard, { turns }: ChatView): (() => void) | undefined {
  if (!saveRows || countChatRows(turns) === 0) return undefined;
  return () =>
    prompt({
      scope: 'saving',
      label: 'Append rows to: ',
      value: 'rows.jsonl',
      submit(file) {
        if (file.trim() === '') return file;
        saveRows(file.trim(), chatRows(turns), 'append');
        return null;
      },
    });
}
