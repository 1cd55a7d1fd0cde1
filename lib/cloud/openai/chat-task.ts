// Converts an OpenAI-style request to engine tasks: one for each requested answer.
import type { ChatCompletionRequest, ChatMessage, InferenceRequest } from '../../contract/index.js';
import type { Message } from '../../engine/index.js';
import type { ServedModel } from '../inference/served-model.js';
import type { Question } from '../seams/backend.js';
import { joinText } from './join-text.js';

type ChatTask = Question<'chat'>;

type Served = Pick<ServedModel, 'adapter' | 'caller'>;

/** One task for each of `n`; their seeds count up from the given one. */
export function toChatTasks(request: ChatCompletionRequest, served: Served): ChatTask[] {
  const { n = 1, seed } = request;
  const task = toChatTask(request, served);
  return Array.from({ length: n }, (_, i) => (seed === undefined ? task : { ...task, seed: seed + i }));
}

function toChatTask(request: ChatCompletionRequest, { adapter, caller }: Served): ChatTask {
  const { stop } = request;
  return {
    caller,
    messages: request.messages.map(toTurn),
    adapter,
    maxTokens: request.max_completion_tokens ?? request.max_tokens,
    temperature: request.temperature,
    topP: request.top_p,
    frequencyPenalty: request.frequency_penalty,
    presencePenalty: request.presence_penalty,
    logitBias: request.logit_bias,
    stop: typeof stop === 'string' ? [stop] : stop,
    logprobs: request.logprobs ? (request.top_logprobs ?? 0) : undefined,
    tools: toToolUse(request),
    json: toSchema(request),
  };
}

/** Tools that must not be called have no effect. */
function toToolUse({ tools = [], tool_choice: choice = 'auto', ...request }: ChatCompletionRequest) {
  if (tools.length === 0 || choice === 'none') return undefined;
  const parallel = request.parallel_tool_calls ?? true;
  return {
    all: tools,
    choice: typeof choice === 'object' ? { name: choice.function.name } : choice,
    parallel,
  };
}

function toSchema({ response_format: format }: ChatCompletionRequest): ChatTask['json'] {
  if (format?.type === 'json_schema') return format.json_schema.schema ?? true;
  return format?.type === 'json_object' ? { type: 'object' } : undefined;
}

/** A turn as chat templates expect it. A tool's output is a turn like any other. */
function toTurn({ role, content, ...fields }: ChatMessage): Message {
  return { ...fields, role: role === 'developer' ? 'system' : role, content: joinText(content) };
}

/** Converts the Playground's request to the OpenAI format. */
export function fromInferenceRequest(request: InferenceRequest): ChatCompletionRequest {
  const { messages, stream, temperature, topP, maxTokens, stop, seed } = request;
  return { messages, stream, temperature, top_p: topP, max_tokens: maxTokens, stop, seed };
}
