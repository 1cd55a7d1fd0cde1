// How an answer is written: as one document, or as events. Each API has its own format; what generates is the same.
import type { ChatCompletionRequest } from '../../contract/index.js';
import type { Piece } from '../../engine/index.js';
import { errorData } from '../../http/index.js';
import type { ChoicePiece } from './choices.js';
import { collectCompletion, type Head, toChunks } from './documents.js';
import type { FieldNames } from './engine-refusal.js';

/** A Server-Sent Event. */
export interface AnswerEvent {
  event?: string;
  data: string;
}

export interface AnswerFormat<P = Piece> {
  fields: FieldNames;
  /** The answer as one document. */
  collect(pieces: AsyncIterable<ChoicePiece<P>>): Promise<object>;
  /** The answer as events. The first one waits until the engine has accepted the request. */
  events(pieces: AsyncIterable<ChoicePiece<P>>): AsyncGenerator<AnswerEvent>;
  /** The last event, when generation fails after the first one. Other errors than `ApiError` must not be told. */
  failure(error: unknown): AnswerEvent;
}

export function chatFormat(asked: ChatCompletionRequest, given: Head): AnswerFormat {
  const head = { ...given, id: `chatcmpl-${given.id}` };
  const includeUsage = asked.stream_options?.include_usage ?? false;
  return {
    fields: { conversation: 'messages', json: 'response_format' },
    collect: pieces => collectCompletion(head, pieces, { logprobs: asked.logprobs ?? false }),
    events: pieces => toEvents(toChunks(head, pieces, { includeUsage })),
    failure: error => ({ data: errorData(error) }),
  };
}

/** OpenAI's streams of chunks end with a mark. */
export async function* toEvents(chunks: AsyncIterable<object>): AsyncGenerator<AnswerEvent> {
  for await (const chunk of chunks) yield { data: JSON.stringify(chunk) };
  yield { data: '[DONE]' };
}
