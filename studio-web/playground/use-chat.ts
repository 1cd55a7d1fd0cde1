// The Playground's conversations. They last until the page is reloaded, so the user can navigate away and come back.
import { shallowRef } from 'vue';
import { realClock } from '../../lib/clock/index.js';
import {
  type ChatAction,
  type ChatSampling,
  type ChatView,
  canRetry,
  emptyChat,
  errorText,
  historyBeside,
  isAnswering,
  reduceChat,
  targetLabel,
  toInferenceRequest,
  watchPreparing,
} from '../../lib/console/index.js';
import type { Target } from '../../lib/contract/index.js';
import { noticeProject } from '../cloud.js';
import { studio } from '../studio.js';

/** The conversation on the left, or the only one. */
export const conversation = createConversation();
/** The one on the right, with the second model. */
export const sideConversation = createConversation();

function createConversation() {
  const chat = shallowRef(emptyChat);
  let answering: AbortController | undefined;

  function dispatch(action: ChatAction): void {
    chat.value = reduceChat(chat.value, action);
  }

  /** Generates the answer to the last message. */
  async function answer(target: Target, sampling: ChatSampling): Promise<void> {
    const own = new AbortController();
    answering = own;
    const takeOwn = (action: ChatAction) => {
      if (answering === own) dispatch(action);
    };
    const begun = new AbortController();
    void watchPreparing({
      readBaseModel: () => studio.getBaseModel({ signal: begun.signal }),
      onPreparing: waitsFor => takeOwn({ type: 'waits', waitsFor }),
      signal: begun.signal,
      clock: realClock,
    });
    try {
      const request = toInferenceRequest(chat.value, target, sampling);
      for await (const { choices } of studio.chat(request, { signal: own.signal })) {
        const { reasoning_content: thought, content: text } = choices[0]?.delta ?? {};
        if (thought || text) begun.abort();
        if (thought) takeOwn({ type: 'thought', text: thought });
        if (text) takeOwn({ type: 'text', text });
      }
      takeOwn({ type: 'done' });
      noticeProject();
    } catch (error) {
      takeOwn({ type: 'failed', error: errorText(error) });
    } finally {
      begun.abort();
    }
  }

  return {
    chat,
    async ask(question: string, target: Target, sampling: ChatSampling): Promise<void> {
      if (isAnswering(chat.value)) return;
      dispatch({ type: 'asked', question, model: targetLabel(target) });
      await answer(target, sampling);
    },
    /** Answers the last message again. */
    async retry(target: Target, sampling: ChatSampling): Promise<void> {
      if (!canRetry(chat.value)) return;
      dispatch({ type: 'retried', model: targetLabel(target) });
      await answer(target, sampling);
    },
    /** Stops generating and keeps the partial reply. */
    stop(): void {
      dispatch({ type: 'stopped' });
      answering?.abort();
    },
    /** If this conversation differs from the first, continues from the first model's history. */
    follow(first: ChatView): void {
      chat.value = historyBeside(chat.value, first);
    },
    clear(): void {
      answering?.abort();
      answering = undefined;
      chat.value = emptyChat;
    },
  };
}
