// A piece of a chat's answer, as Studio streams it.
import type { ChatCompletionChunk } from '../../lib/contract/index.js';

/** Some of an answer, or of the thought before it. */
export type Said = string | { thought: string };

export function toChunk(said: Said): ChatCompletionChunk {
  const delta = typeof said === 'string' ? { content: said } : { reasoning_content: said.thought };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'fake',
    choices: [{ index: 0, delta, finish_reason: null }],
  };
}
