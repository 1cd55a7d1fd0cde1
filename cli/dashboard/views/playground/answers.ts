// Sends questions and streams the answers into the conversation.
import { isAnswering, toInferenceRequest } from '../../../../lib/console/index.js';
import type { Context } from '../../core/context.js';
import { toMessage } from '../../core/fetched.js';
import type { ChosenTarget, PlaygroundStore } from './state.js';

export interface Answers {
  ask(question: string, chosen: ChosenTarget): void;
  /** Returns false if there was no answer to stop. */
  stop(): boolean;
}

export function createAnswers(context: Context, store: PlaygroundStore): Answers {
  let answering: AbortController | undefined;

  async function stream({ target }: ChosenTarget, signal: AbortSignal): Promise<void> {
    try {
      const request = toInferenceRequest(store.state.chat, target);
      for await (const { choices } of context.client.chat(request, { signal })) {
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

  return {
    ask(question, chosen) {
      store.dispatch({ type: 'chat', action: { type: 'asked', question, model: chosen.name } });
      answering = new AbortController();
      void stream(chosen, AbortSignal.any([answering.signal, context.signal]));
    },
    stop() {
      if (!isAnswering(store.state.chat)) return false;
      answering?.abort();
      store.dispatch({ type: 'chat', action: { type: 'stopped' } });
      return true;
    },
  };
}
