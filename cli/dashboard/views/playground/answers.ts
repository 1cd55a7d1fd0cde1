// Sends questions and streams the answers into a conversation.
import {
  type ChatAction,
  type ChatView,
  isAnswering,
  toInferenceRequest,
} from '../../../../lib/console/index.js';
import type { Context } from '../../core/context.js';
import { toMessage } from '../../core/fetched.js';
import type { ChosenTarget } from './state.js';

export interface Answers {
  ask(question: string, chosen: ChosenTarget): void;
  /** The last question once more. */
  retry(chosen: ChosenTarget): void;
  /** Returns false if there was no answer to stop. */
  stop(): boolean;
}

/** A conversation in the state of the playground. */
interface ConversationState {
  chat(): ChatView;
  dispatch(action: ChatAction): void;
}

export function createAnswers(context: Context, { chat, dispatch }: ConversationState): Answers {
  let answering: AbortController | undefined;

  async function stream({ target }: ChosenTarget, signal: AbortSignal): Promise<void> {
    try {
      const request = toInferenceRequest(chat(), target);
      for await (const { choices } of context.client.chat(request, { signal })) {
        const text = choices[0]?.delta.content ?? '';
        if (text && !signal.aborted) dispatch({ type: 'text', text });
      }
      if (!signal.aborted) dispatch({ type: 'done' });
      await context.reach(Promise.resolve());
    } catch (error) {
      if (signal.aborted) return;
      dispatch({ type: 'failed', error: toMessage(error) });
      await context.reach(Promise.reject(error)).catch(() => {});
    }
    // The first question creates the project.
    context.refreshIdentity();
  }

  function answer(chosen: ChosenTarget): void {
    answering = new AbortController();
    void stream(chosen, AbortSignal.any([answering.signal, context.signal]));
  }

  return {
    ask(question, chosen) {
      dispatch({ type: 'asked', question, model: chosen.name });
      answer(chosen);
    },
    retry(chosen) {
      dispatch({ type: 'retried', model: chosen.name });
      answer(chosen);
    },
    stop() {
      if (!isAnswering(chat())) return false;
      answering?.abort();
      dispatch({ type: 'stopped' });
      return true;
    },
  };
}
