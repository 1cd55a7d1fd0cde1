// Chats that svc starts itself: in the Playground, and for job samples.
import {
  ApiError,
  type ChatCompletionRequest,
  type CloudRoutes,
  type InferenceRequest,
  type Target,
  templateVariablesOf,
} from '../../contract/index.js';
import { type Handlers, requestIdOf } from '../../http/index.js';
import type { Access } from '../auth/authorize.js';
import type { CloudLogLine } from '../deps.js';
import { toApiError } from '../engine-faults.js';
import type { AnswerSample, Backend } from '../seams/backend.js';
import type { Answer } from './answer.js';
import { askChat, toChatTasks } from './chat.js';
import type { ModelResolver } from './models.js';

interface ChatContext {
  access: Access;
  models: ModelResolver;
  answer: Answer;
}

/** A Playground chat with the base model or one of the caller's adapters. */
export function chatHandlers({ access, models, answer }: ChatContext): Handlers<Pick<CloudRoutes, 'chat'>> {
  return {
    async chat({ request, query, body }) {
      const { orgId } = await access.authorize(request, query);
      const served = await models.resolve(orgId, toTarget(body), { param: 'baseModel' });
      const call = { ...served, caller: orgId, signal: request.signal, requestId: requestIdOf(request) };
      return answer(askChat(fromInferenceRequest(body)), call);
    },
  };
}

/** The schema guarantees exactly one of the two. */
function toTarget({ adapter, baseModel = '' }: InferenceRequest): Target {
  return adapter ? { kind: 'adapter', adapter } : { kind: 'base_model', baseModel };
}

const USUAL_TOKENS = 128;
/** All jobs together count as one caller when taking turns. */
const CALLER = 'samples';

/** Answers a job's sample, as a chat at temperature 0. */
export function createAnswerSample(backend: Backend, log: (line: CloudLogLine) => void): AnswerSample {
  return async ({ messages, variables, maxTokens = USUAL_TOKENS }, adapter, signal) => {
    const request = { messages, temperature: 0, max_tokens: maxTokens, chat_template_kwargs: variables };
    const task = { ...toChatTasks(request)[0]!, adapter: adapter?.sha256 ?? null, caller: CALLER };
    try {
      if (adapter) await backend.load(adapter);
      let answer = '';
      let isCut = false;
      for await (const piece of backend.ask('chat', task, signal)) {
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

/** Converts the Playground's request to the OpenAI format. @internal */
export function fromInferenceRequest(request: InferenceRequest): ChatCompletionRequest {
  const { messages, stream, temperature, topP, topK, maxTokens, stop, seed, schema, tools, toolChoice } =
    request;
  const sampling = { temperature, top_p: topP, top_k: topK, max_tokens: maxTokens, stop, seed };
  const variables = templateVariablesOf(request);
  const chat = {
    ...{ messages, stream, ...sampling, tools, tool_choice: toolChoice },
    ...(variables && { chat_template_kwargs: variables }),
  };
  if (!schema) return chat;
  return { ...chat, response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } };
}
