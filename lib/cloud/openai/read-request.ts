// Checks which parts of the OpenAI format a request uses. Unsupported ones are rejected by name.
import {
  ApiError,
  type ChatCompletionRequest,
  type ChatFeature,
  parseChatRequest,
} from '../../contract/index.js';

const BUILT: ReadonlySet<ChatFeature> = new Set([
  'n',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
]);

/** Tools that must not be called have no effect. */
const BUILT_WITHOUT_CALLS: ReadonlySet<ChatFeature> = new Set([...BUILT, 'tools']);

/** The request in a parsed body. Throws an `ApiError` that names the invalid parameter. */
export function readChatRequest(body: unknown): ChatCompletionRequest {
  const choice = (body as { tool_choice?: unknown } | null)?.tool_choice;
  const request = parseChatRequest(body, choice === 'none' ? BUILT_WITHOUT_CALLS : BUILT);
  if (request.top_logprobs && !request.logprobs) {
    throw new ApiError('invalid_value', '`top_logprobs` requires `logprobs: true`.', {
      param: 'top_logprobs',
    });
  }
  return request;
}
