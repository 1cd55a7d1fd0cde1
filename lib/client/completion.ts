// The answer of a chat call: one document, or its chunks as they come.
import {
  ApiError,
  type ChatCompletion,
  type ChatCompletionChunk,
  chatCompletion,
  chatCompletionChunk,
  errorEnvelope,
  type InferenceRequest,
  parseAnswer,
  type Route,
} from '../contract/index.js';
import type { Caller, CallInput } from './caller.js';
import { readFrames } from './frames.js';

export interface Chat {
  (request: InferenceRequest & { stream: true }, options?: ChatOptions): AsyncGenerator<ChatCompletionChunk>;
  (request: InferenceRequest & { stream?: false }, options?: ChatOptions): Promise<ChatCompletion>;
}

export interface ChatOptions {
  signal?: AbortSignal | undefined;
}

/** The chat method of a client, over one of the two routes that answer completions. */
export function createChat(caller: Caller, route: Route, scopeQuery: CallInput['query'] = {}): Chat {
  const call = (body: InferenceRequest, { signal }: ChatOptions) =>
    caller.send(route, { body, query: scopeQuery, signal });

  async function once(request: InferenceRequest, options: ChatOptions): Promise<ChatCompletion> {
    const answer: unknown = await (await call(request, options)).json();
    return parseAnswer(chatCompletion, answer, `${route.method} ${route.path}`);
  }

  async function* stream(
    request: InferenceRequest,
    options: ChatOptions,
  ): AsyncGenerator<ChatCompletionChunk> {
    for await (const { data } of readFrames(await call(request, options))) {
      if (data === '[DONE]') return;
      yield readChunk(data);
    }
    options.signal?.throwIfAborted();
    throw new ApiError('unexpected_response', 'The answer broke off before its end.');
  }

  return ((request: InferenceRequest, options: ChatOptions = {}) =>
    request.stream ? stream(request, options) : once(request, options)) as Chat;
}

function readChunk(data: string): ChatCompletionChunk {
  const value: unknown = JSON.parse(data);
  const failure = errorEnvelope.safeParse(value);
  if (failure.success) {
    const { message, type, code, param } = failure.data.error;
    throw new ApiError({ status: 500, type, code }, message, { param });
  }
  return parseAnswer(chatCompletionChunk, value, 'A chunk');
}
