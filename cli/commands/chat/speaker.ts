// Who answers in a chat: an adapter or the base model through the cloud's chat API, or a published endpoint at its URL.
import type { CloudClient } from '../../../lib/client/index.js';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatMessage,
  InferenceRequest,
} from '../../../lib/contract/index.js';

export interface Speaker {
  /** Who answers, as shown to the user. */
  label: string;
  answer(messages: readonly ChatMessage[]): Promise<ChatCompletion>;
  stream(messages: readonly ChatMessage[], signal?: AbortSignal): AsyncGenerator<ChatCompletionChunk>;
}

export type Sampling = Pick<InferenceRequest, 'temperature' | 'topP' | 'maxTokens' | 'seed'>;

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
