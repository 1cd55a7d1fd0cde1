// From a request of the published format to what the engine is asked for: one task for each answer that is wanted.
import type { ChatCompletionRequest, ChatMessage, InferenceRequest } from '../../contract/index.js';
import type { ChatTask, Message } from '../../engine/index.js';
import type { ServedModel } from '../inference/served-model.js';

type Served = Pick<ServedModel, 'adapterFolder' | 'caller'>;

/** As many tasks as `n` says; their seeds count up from the one that was given. */
export function toChatTasks(request: ChatCompletionRequest, served: Served): ChatTask[] {
  const { n = 1, seed } = request;
  const task = toChatTask(request, served);
  return Array.from({ length: n }, (_, i) => (seed === undefined ? task : { ...task, seed: seed + i }));
}

function toChatTask(request: ChatCompletionRequest, { adapterFolder, caller }: Served): ChatTask {
  const { stop } = request;
  return {
    caller,
    messages: request.messages.map(toTurn),
    adapterFolder,
    maxTokens: request.max_completion_tokens ?? request.max_tokens,
    temperature: request.temperature,
    topP: request.top_p,
    frequencyPenalty: request.frequency_penalty,
    presencePenalty: request.presence_penalty,
    stop: typeof stop === 'string' ? [stop] : stop,
    logprobs: request.logprobs ? (request.top_logprobs ?? 0) : undefined,
  };
}

/** A turn as chat templates know it. What a tool said is a turn like any other. */
function toTurn({ role, content, ...fields }: ChatMessage): Message {
  return { ...fields, role: role === 'developer' ? 'system' : role, content: joinParts(content) };
}

function joinParts(content: ChatMessage['content']): string {
  if (content == null) return '';
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

/** The Playground's request in the published format. */
export function fromInferenceRequest(request: InferenceRequest): ChatCompletionRequest {
  const { messages, stream, temperature, topP, maxTokens, stop, seed } = request;
  return { messages, stream, temperature, top_p: topP, max_tokens: maxTokens, stop, seed };
}
