// Writes an answer in Anthropic's Messages format: one document, or its events.
import { randomUUID } from 'node:crypto';
import { ApiError, type ChatCompletionRequest } from '../../../contract/index.js';
import type { FinishReason, Usage } from '../../../engine/index.js';
import type { AnswerEvent, AnswerFormat } from '../answer-format.js';
import type { Head } from '../documents.js';
import { toMessagesError } from './error.js';

/** A stop sequence that ended the answer cannot be told from the end of the turn. */
const REASONS = { stop: 'end_turn', length: 'max_tokens' } as const satisfies Record<FinishReason, string>;

/** How a message ended. Nothing here has a container or is refused by a classifier. */
const ending = (reason: FinishReason | null) => ({
  stop_reason: reason && REASONS[reason],
  stop_sequence: null,
  stop_details: null,
  container: null,
});

export function messagesFormat(_: ChatCompletionRequest, head: Head): AnswerFormat {
  const document = (text: string | null, end: { reason: FinishReason; usage: Usage } | null) => ({
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model: head.model,
    content: text === null ? [] : [toBlock(text)],
    diagnostics: null,
    ...ending(end?.reason ?? null),
    usage: {
      ...toUsage(end?.usage ?? { promptTokens: 0, completionTokens: 0 }),
      cache_creation: null,
      inference_geo: null,
      service_tier: 'standard',
      speed: null,
    },
  });

  return {
    conversation: 'messages',
    async collect(pieces) {
      let text = '';
      let end: { reason: FinishReason; usage: Usage } | null = null;
      for await (const { piece } of pieces) {
        text += piece.text;
        if (piece.finishReason) end = { reason: piece.finishReason, usage: piece.usage };
      }
      return document(text, end);
    },
    async *events(pieces) {
      let hasBegun = false;
      for await (const { piece } of pieces) {
        if (!hasBegun) {
          // How many tokens the prompt has is only known at the end.
          yield event('message_start', { message: document(null, null) });
          yield event('content_block_start', { index: 0, content_block: toBlock('') });
          yield event('ping', {});
        }
        hasBegun = true;
        if (piece.text !== '')
          yield event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece.text } });
        if (!piece.finishReason) continue;
        yield event('content_block_stop', { index: 0 });
        yield event('message_delta', { delta: ending(piece.finishReason), usage: toUsage(piece.usage) });
        yield event('message_stop', {});
      }
    },
    failure(error) {
      const known =
        error instanceof ApiError
          ? error
          : new ApiError('internal_error', 'Something went wrong on our side.');
      return {
        event: 'error',
        data: JSON.stringify(toMessagesError(known.toEnvelope().error, known.status)),
      };
    },
  };
}

const event = (type: string, fields: object): AnswerEvent => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});

const toBlock = (text: string) => ({ type: 'text', text, citations: null });

/** What was kept from an earlier request counts apart. */
function toUsage({ promptTokens, completionTokens, cachedTokens = 0 }: Usage) {
  return {
    input_tokens: promptTokens - cachedTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: 0,
    output_tokens: completionTokens,
    output_tokens_details: null,
    server_tool_use: null,
  };
}
