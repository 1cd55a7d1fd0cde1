// The Playground conversation. It lives as long as the page, so the user can navigate away and come back.
import { shallowRef } from 'vue';
import {
  type ChatAction,
  emptyChat,
  errorText,
  isAnswering,
  reduceChat,
  targetLabel,
  toInferenceRequest,
} from '../../lib/console/index.js';
import type { Target } from '../../lib/contract/index.js';
import { studio } from '../studio.js';
import { noticeProject } from '../use-identity.js';

const chat = shallowRef(emptyChat);
let answering: AbortController | undefined;

export function useChat() {
  return { chat, ask, stop, clear };
}

async function ask(question: string, target: Target): Promise<void> {
  if (isAnswering(chat.value)) return;
  dispatch({ type: 'asked', question, model: targetLabel(target) });
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

/** Keeps the reply so far. */
function stop(): void {
  dispatch({ type: 'stopped' });
  answering?.abort();
}

function clear(): void {
  answering?.abort();
  answering = undefined;
  chat.value = emptyChat;
}

function dispatch(action: ChatAction): void {
  chat.value = reduceChat(chat.value, action);
}
