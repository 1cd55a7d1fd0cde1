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
  'response_format',
  'tools',
  'tool_choice',
]);

/** The request in a parsed body. Throws an `ApiError` that names the invalid parameter. */
export function readChatRequest(body: unknown): ChatCompletionRequest {
  const request = parseChatRequest(body, BUILT);
  requireTool(request);
  if (request.top_logprobs && !request.logprobs) {
    throw new ApiError('invalid_value', '`top_logprobs` requires `logprobs: true`.', {
      param: 'top_logprobs',
    });
  }
  return request;
}

/** Throws if a tool is asked for that is not there. */
export function requireTool({ tools = [], tool_choice: choice }: ChatCompletionRequest): void {
  const isAsked = choice === 'required' || typeof choice === 'object';
  const name = typeof choice === 'object' ? choice.function.name : null;
  const isThere = name === null ? tools.length > 0 : tools.some(tool => tool.function.name === name);
  if (isAsked && !isThere)
    throw new ApiError('invalid_value', '`tool_choice` names a tool that is not in `tools`.', {
      param: 'tool_choice',
    });
}

/** Content as all formats have it: a text, or parts with texts. */
export function joinText(content: string | readonly { text: string }[] | null | undefined): string {
  if (content == null) return '';
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}
