// The model behind a chat: an adapter or the base model through the cloud's chat API, or a published endpoint
// at its URL.
import { assertSecureUrl, type CloudClient, readFrames } from '../../../lib/client/index.js';
import { patientFetch } from '../../../lib/client/node.js';
import type { Clock } from '../../../lib/clock/index.js';
import { libraryBaseUrl, watchPreparing } from '../../../lib/console/index.js';
import {
  ApiError,
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChatMessage,
  chatCompletion,
  chatCompletionChunk,
  type Deployment,
  errorType,
  type InferenceRequest,
  parseResponse,
  readEnvelope,
  type ServedModel,
} from '../../../lib/contract/index.js';
import type { Output } from '../../command.js';
import { print } from '../../print.js';
import { toSafeText } from '../../style.js';

export interface Speaker {
  /** The model's name as shown to the user. */
  label: string;
  answer(messages: readonly ChatMessage[]): Promise<ChatCompletion>;
  stream(messages: readonly ChatMessage[], signal?: AbortSignal): AsyncGenerator<ChatCompletionChunk>;
}

export type Sampling = Pick<InferenceRequest, 'temperature' | 'topP' | 'topK' | 'maxTokens' | 'seed'>;

type Model = Pick<InferenceRequest, 'adapter' | 'baseModel'>;

export function createCloudSpeaker(
  cloud: CloudClient,
  model: Model,
  sampling: Sampling,
  label: string,
): Speaker {
  const requestFor = (messages: readonly ChatMessage[]) => ({
    ...model,
    ...sampling,
    messages: [...messages],
  });
  return {
    label,
    answer: messages => cloud.chat({ ...requestFor(messages), stream: false }),
    stream: (messages, signal) => cloud.chat({ ...requestFor(messages), stream: true }, { signal }),
  };
}

/** Calls a published endpoint over HTTP like any client, at the path-based URL, which resolves everywhere. */
export function createDeploymentSpeaker(
  deployment: Deployment,
  key: string | undefined,
  sampling: Sampling,
): Speaker {
  const url = assertSecureUrl(`${libraryBaseUrl(deployment)}/chat/completions`);
  const call = (messages: readonly ChatMessage[], stream: boolean, signal?: AbortSignal) =>
    send(url, key, { ...toWire(sampling), model: deployment.slug, messages, stream }, signal);
  return {
    label: `Endpoint ${deployment.slug}`,
    answer: async messages =>
      parseResponse(chatCompletion, await (await call(messages, false)).json(), 'The endpoint'),
    stream: async function* (messages, signal) {
      yield* readChunks(await call(messages, true, signal), signal);
    },
  };
}

interface Watch {
  readBaseModel(signal: AbortSignal): Promise<{ baseModel: Pick<ServedModel, 'preparing'> }>;
  note(line: string): void;
  clock: Clock;
}

/** Notes what an answer waits for, until it begins. */
export function createWatchedSpeaker(speaker: Speaker, { readBaseModel, note, clock }: Watch): Speaker {
  function watch(): AbortController {
    const begun = new AbortController();
    const { signal } = begun;
    const onPreparing = (what: string | null) => {
      if (what !== null) note(what);
    };
    void watchPreparing({ readBaseModel: () => readBaseModel(signal), onPreparing, signal, clock });
    return begun;
  }
  return {
    label: speaker.label,
    async answer(messages) {
      const begun = watch();
      return speaker.answer(messages).finally(() => begun.abort());
    },
    async *stream(messages, signal) {
      const begun = watch();
      try {
        for await (const chunk of speaker.stream(messages, signal)) {
          if (chunk.choices[0]?.delta.content) begun.abort();
          yield chunk;
        }
      } finally {
        begun.abort();
      }
    },
  };
}

/** Converts to the field names of the chat-completions format. */
function toWire({ temperature, topP, topK, maxTokens, seed }: Sampling) {
  return { temperature, top_p: topP, top_k: topK, max_tokens: maxTokens, seed };
}

async function send(
  url: string,
  key: string | undefined,
  body: object,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await patientFetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new ApiError('cloud_unreachable', `Cannot reach the endpoint at ${url}.`, { cause });
  });
  if (response.ok) return response;
  const { status } = response;
  const envelope = readEnvelope(await response.json().catch(() => null), status);
  const message = envelope?.message ?? `${url} returned status ${status} without an error message.`;
  const code = envelope?.code ?? 'unexpected_response';
  throw new ApiError({ status, type: envelope?.type ?? errorType(status), code }, message);
}

async function* readChunks(response: Response, signal?: AbortSignal): AsyncGenerator<ChatCompletionChunk> {
  for await (const { data } of readFrames(response)) {
    if (data === '[DONE]') return;
    const value: unknown = JSON.parse(data);
    const error = readEnvelope(value, 500);
    if (error) throw new ApiError({ status: 500, type: error.type, code: error.code }, error.message);
    yield parseResponse(chatCompletionChunk, value, 'The endpoint');
  }
  signal?.throwIfAborted();
  throw new ApiError('unexpected_response', 'The answer was cut off.');
}

/**
 * Streams one answer to the output and resolves with its text. An aborted signal ends the answer; it is not an error.
 */
export async function say(
  speaker: Speaker,
  messages: readonly ChatMessage[],
  output: Output,
  signal?: AbortSignal,
): Promise<string> {
  let reply = '';
  try {
    for await (const { choices } of speaker.stream(messages, signal)) {
      const piece = choices[0]?.delta.content ?? '';
      reply += piece;
      if (piece) print(output, toSafeText(piece));
    }
  } catch (error) {
    if (reply) print(output, '\n');
    if (signal?.aborted) return reply;
    throw error;
  }
  print(output, '\n');
  return reply;
}
