// What the fake cloud says in a chat: the last words it was told, and how many turns it has seen.
import type { ChatCompletion } from '../../../lib/contract/index.js';
import { eventStream } from '../../../lib/http/index.js';
import type { FakeState } from './state.js';

export function answerChat(
  state: FakeState,
  messages: { role: string; content?: unknown }[],
  stream: boolean | undefined,
): Response {
  state.chats.push(messages);
  const content = `${messages.length}: ${String(messages.at(-1)?.content)}`;
  return stream ? streamWords(content, state.hangs) : Response.json(toCompletion(content));
}

function toCompletion(content: string): ChatCompletion {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'fake',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

function streamWords(content: string, hangs: boolean): Response {
  return eventStream(async ({ send, signal }) => {
    for (const word of content.split(/(?<= )/)) {
      const choices = [{ index: 0, delta: { content: word }, finish_reason: null }];
      const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'fake', choices };
      await send({ data: JSON.stringify(chunk) });
      if (hangs) await new Promise(resolve => signal.addEventListener('abort', resolve));
    }
    await send({ data: '[DONE]' });
  });
}
