// The response to a chat call: one document, or its chunks as they arrive.
import {
  ApiError,
  type ChatCompletion,
  type ChatCompletionChunk,
  type InferenceRequest,
  type RouteAddress,
  readEnvelope,
} from '../contract/index.js';
import { readFrames } from './event-stream.js';
import type { TimeLimits } from './time-limits.js';
import type { CallInput, Transport } from './transport.js';

export interface Chat {
  (request: InferenceRequest & { stream: true }, options?: ChatOptions): AsyncGenerator<ChatCompletionChunk>;
  (request: InferenceRequest & { stream?: false }, options?: ChatOptions): Promise<ChatCompletion>;
}

interface ChatOptions {
  signal?: AbortSignal | undefined;
}

/** How to read responses: validated with the schemas, or unchecked. */
export interface ChatReaders {
  completion(value: unknown): ChatCompletion;
  chunk(value: unknown): ChatCompletionChunk;
}

/** The `chat` method of a client. */
export function createChat(
  transport: Transport,
  route: RouteAddress,
  readers: ChatReaders,
  { query, limits }: { query?: CallInput['query']; limits: Pick<TimeLimits, 'workMs' | 'idleMs'> },
): Chat {
  const call = (json: InferenceRequest, { signal }: ChatOptions) => ({
    json,
    signal,
    ...(query && { query }),
    // A stream starts at once; a document arrives only when it is complete.
    ...(!json.stream && { answerMs: limits.workMs }),
  });
  const once = (json: InferenceRequest, options: ChatOptions) =>
    transport.json(route, call(json, options), readers.completion);

  const frames = { idleTimeoutMs: limits.idleMs, clock: transport.clock };
  async function* stream(json: InferenceRequest, options: ChatOptions): AsyncGenerator<ChatCompletionChunk> {
    const { signal } = options;
    const response = await transport.send(route, call(json, options));
    try {
      for await (const { data } of readFrames(response, frames)) {
        if (data === '[DONE]') return;
        yield readers.chunk(refuseError(parseJson(data)));
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof ApiError ? error : brokenOff(error);
    }
    signal?.throwIfAborted();
    throw brokenOff();
  }

  return ((request: InferenceRequest, options: ChatOptions = {}) =>
    request.stream ? stream(request, options) : once(request, options)) as Chat;
}

function brokenOff(cause?: unknown): ApiError {
  return new ApiError('unexpected_response', 'The response ended early.', { cause });
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch (cause) {
    throw new ApiError('unexpected_response', 'Part of the response is not JSON.', { cause });
  }
}

/** A stream that fails midway sends the error as a chunk. */
function refuseError(value: unknown): unknown {
  const error = readEnvelope(value, 500);
  if (!error) return value;
  const { message, type, code, param } = error;
  throw new ApiError({ status: 500, type, code }, message, { param });
}
