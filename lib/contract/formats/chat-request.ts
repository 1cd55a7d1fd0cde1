// Reads a chat-completions request the way its published format defines it: null means absent, unknown fields are
// ignored, and known but unsupported fields are refused by name unless their value requests nothing.
import * as z from 'zod/mini';
import { ApiError } from '../errors.js';
import { boundConversation, boundList } from '../text.js';
import { parseRequest } from '../validate.js';
import { type ChatCompletionRequest, chatCompletionRequest, MOST_TOOLS } from './chat.js';
import {
  dropNulls,
  type Features,
  isEmpty,
  NEVER_NEUTRAL,
  refuseFeatures,
  requireObject,
} from './published-format.js';

const FEATURES: Features = {
  n: value => value === 1,
  frequency_penalty: value => value === 0,
  presence_penalty: value => value === 0,
  logprobs: value => value === false,
  top_logprobs: value => value === 0,
  response_format: value => isTextFormat(value),
  tools: isEmpty,
  tool_choice: value => value === 'none' || value === 'auto',
  functions: isEmpty,
  function_call: value => value === 'none' || value === 'auto',
  logit_bias: isEmpty,
  modalities: value => Array.isArray(value) && value.every(entry => entry === 'text'),
  audio: NEVER_NEUTRAL,
  prediction: NEVER_NEUTRAL,
  reasoning_effort: value => value === 'none',
  verbosity: value => value === 'medium',
  web_search_options: NEVER_NEUTRAL,
};

/** Features of the format that a server may support; each is refused unless listed as supported. */
export type ChatFeature =
  | 'n'
  | 'frequency_penalty'
  | 'presence_penalty'
  | 'logit_bias'
  | 'logprobs'
  | 'top_logprobs'
  | 'response_format'
  | 'tools'
  | 'tool_choice';

/** The request, or an `ApiError` that names the invalid or unsupported parameter. */
export function parseChatRequest(body: unknown, built: ReadonlySet<ChatFeature>): ChatCompletionRequest {
  const given = readBody(body);
  refuseFeatures(given, FEATURES, built);
  refuseUnbuiltParts(given.messages);
  return parseRequest(chatCompletionRequest, given);
}

/** Only text is supported; the format also allows images, audio and files. */
function refuseUnbuiltParts(messages: unknown): void {
  if (!Array.isArray(messages)) return;
  messages.forEach((message, i) => {
    const content: unknown = (message as { content?: unknown } | null)?.content;
    if (!Array.isArray(content)) return;
    content.forEach((part: { type?: unknown } | null, j) => {
      if (typeof part?.type === 'string' && part.type !== 'text') {
        const param = `messages[${i}].content[${j}].type`;
        throw new ApiError('unsupported_parameter', `\`${param}\`: only text parts are supported here.`, {
          param,
        });
      }
    });
  });
}

/** Where null means absent. Other fields hold the caller's data, where null has a meaning. */
const STRUCTURED_FIELDS = new Set([
  'messages',
  'content',
  'tool_calls',
  'function',
  'tools',
  'tool_choice',
  'stream_options',
  'response_format',
  'json_schema',
]);

function readBody(body: unknown): Record<string, unknown> {
  const given = requireObject(body);
  parseRequest(sizes, given);
  return dropNulls(given, STRUCTURED_FIELDS) as Record<string, unknown>;
}

/** Checked before anything else. */
const sizes = z.object({
  messages: boundConversation(z.unknown()),
  tools: boundList(z.unknown(), MOST_TOOLS),
});

function isTextFormat(value: unknown): boolean {
  return (value as { type?: unknown } | null)?.type === 'text';
}
