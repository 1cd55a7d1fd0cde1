// The Playground's conversations. They live as long as the page, so the user can navigate away and come back.
import { shallowRef } from 'vue';
import {
  type ChatAction,
  type ChatView,
  canRetry,
  emptyChat,
  errorText,
  historyBeside,
  isAnswering,
  reduceChat,
  targetLabel,
  toInferenceRequest,
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

  /** Answers the last question. */
  async function answer(target: Target): Promise<void> {
    const own = new AbortController();
    answering = own;
    const takeOwn = (action: ChatAction) => {
      if (answering === own) dispatch(action);
    };
    try {
      const request = toInferenceRequest(chat.value, target);
      for await (const { choices } of studio.chat(request, { signal: own.signal })) {
        const text = choices[0]?.delta.content;
        if (text) takeOwn({ type: 'text', text });
      }
      takeOwn({ type: 'done' });
      noticeProject();
    } catch (error) {
      takeOwn({ type: 'failed', error: errorText(error) });
    }
  }

  return {
    chat,
    async ask(question: string, target: Target): Promise<void> {
      if (isAnswering(chat.value)) return;
      dispatch({ type: 'asked', question, model: targetLabel(target) });
      await answer(target);
    },
    /** The last question once more. */
    async retry(target: Target): Promise<void> {
      if (!canRetry(chat.value)) return;
      dispatch({ type: 'retried', model: targetLabel(target) });
      await answer(target);
    },
    /** Keeps the reply so far. */
    stop(): void {
      dispatch({ type: 'stopped' });
      answering?.abort();
    },
    /** Where this is not what the first model was asked, it goes on from there. */
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
