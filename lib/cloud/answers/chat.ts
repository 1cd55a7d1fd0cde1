// Chats: in the published formats, in the Playground, and for the samples of jobs.
import {
  ApiError,
  type ChatCompletionRequest,
  type ChatMessage,
  type CloudRoutes,
  type InferenceRequest,
  type Target,
} from '../../contract/index.js';
import type { Message } from '../../engine/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../access.js';
import type { CloudLogLine } from '../deps.js';
import { toApiError } from '../engine-faults.js';
import { chatPrompt } from '../kept-requests/watch-answers.js';
import type { AnswerSample } from '../seams/answer-sample.js';
import type { InferenceBackend, Question } from '../seams/backend.js';
import { type AnswerDeps, type AnswerFormat, chatFormat, createAnswer } from './answer.js';
import { generateChoices } from './choices.js';
import type { Head } from './documents.js';
import type { ServedModel, ServedModels } from './models.js';
import { joinText } from './read-request.js';

export type AnswerChat = (
  asked: ChatCompletionRequest,
  served: ServedModel,
  caller: AbortSignal,
  toFormat?: (asked: ChatCompletionRequest, head: Head) => AnswerFormat,
) => Promise<Response>;

/** In one of the published formats; by default, with a chat completion. */
export function createAnswerChat(deps: AnswerDeps): AnswerChat {
  const answer = createAnswer(deps);
  return (asked, served, caller, toFormat = chatFormat) =>
    answer(
      {
        kind: 'chat',
        tasks: toChatTasks(asked, served),
        stream: asked.stream ?? false,
        watch: served.watch?.({ prompts: [chatPrompt(asked)], each: asked.n ?? 1 }),
      },
      served,
      caller,
      head => toFormat(asked, head),
    );
}

interface ChatContext {
  access: Access;
  models: ServedModels;
  answer: AnswerChat;
}

/** The Playground's chat, with the base model or one of the caller's adapters. */
export function chatHandlers({ access, models, answer }: ChatContext): Handlers<Pick<CloudRoutes, 'chat'>> {
  return {
    async chat({ request, query, body }) {
      const { orgId } = await access.authorize(request, query);
      const served = await models.resolve(orgId, toTarget(body), { param: 'baseModel' });
      return answer(fromInferenceRequest(body), { ...served, caller: orgId }, request.signal);
    },
  };
}

/** The schema guarantees exactly one of the two. */
function toTarget({ adapter, baseModel = '' }: InferenceRequest): Target {
  return adapter ? { kind: 'adapter', adapter } : { kind: 'base_model', baseModel };
}

const USUAL_TOKENS = 128;
/** All jobs together take turns with everyone else who asks. */
const CALLER = 'samples';

/** Answers one of a job's samples, as a chat at temperature 0. */
export function createAnswerSample(
  backend: InferenceBackend,
  log: (line: CloudLogLine) => void,
): AnswerSample {
  return async ({ messages, maxTokens = USUAL_TOKENS }, adapter, signal) => {
    const request = { messages, temperature: 0, max_tokens: maxTokens };
    const tasks = toChatTasks(request, { adapter: adapter?.sha256 ?? null, caller: CALLER });
    try {
      if (adapter) await backend.load(adapter);
      let answer = '';
      let isCut = false;
      for await (const { piece } of generateChoices(backend, 'chat', tasks, signal)) {
        answer += piece.text;
        if (piece.finishReason === 'length') isCut = true;
      }
      return { answer, finishReason: isCut ? 'length' : 'stop' };
    } catch (error) {
      const fault = toApiError(error, { conversation: 'messages' });
      if (!(fault instanceof ApiError)) {
        if (!signal.aborted) log({ message: 'A sample could not be answered.', error });
        return { answer: null, error: "Something went wrong on the cloud's side; see its log." };
      }
      const passes = fault.code === 'engine_busy' || fault.code === 'engine_unavailable';
      return passes ? 'later' : { answer: null, error: fault.message };
    }
  };
}

type ChatTask = Question<'chat'>;

type Served = Pick<ServedModel, 'adapter' | 'caller'>;

/** An OpenAI-style request as tasks of the engine: one for each of `n`; their seeds count up from the given one. @internal */
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

/** Converts the Playground's request to the OpenAI format. @internal */
export function fromInferenceRequest(request: InferenceRequest): ChatCompletionRequest {
  const { messages, stream, temperature, topP, maxTokens, stop, seed } = request;
  return { messages, stream, temperature, top_p: topP, max_tokens: maxTokens, stop, seed };
}
