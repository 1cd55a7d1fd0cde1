// Reads a chat-completions request the way its published format defines it: null means absent, unknown fields are
// ignored, and known but unsupported fields are refused by name unless their value requests nothing.
import * as z from 'zod/mini';
import { boundConversation, boundList } from './bounded.js';
import { type ChatCompletionRequest, chatCompletionRequest, MOST_TOOLS } from './chat.js';
import { ApiError } from './errors.js';
import { parseRequest } from './validate.js';

/** Fields that request a feature, each with the values that request nothing. */
const NEUTRAL_VALUES: Readonly<Record<string, (value: unknown) => boolean>> = {
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
  audio: () => false,
  prediction: () => false,
  reasoning_effort: value => value === 'none',
  verbosity: value => value === 'medium',
  web_search_options: () => false,
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
  for (const [name, isNeutral] of Object.entries(NEUTRAL_VALUES)) {
    if (name in given && !(built as ReadonlySet<string>).has(name) && !isNeutral(given[name])) {
      throw new ApiError('unsupported_parameter', `\`${name}\` is not supported here; leave it out.`, {
        param: name,
      });
    }
  }
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
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('invalid_value', 'The body must be a JSON object.');
  }
  parseRequest(sizes, body);
  return dropNulls(body) as Record<string, unknown>;
}

/** Checked before anything else. */
const sizes = z.object({
  messages: boundConversation(z.unknown()),
  tools: boundList(z.unknown(), MOST_TOOLS),
});

/** Nothing in the format nests deeper than this. */
const DEEPEST = 50;

function dropNulls(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) throw new ApiError('invalid_value', 'The body is nested too deeply.');
  if (Array.isArray(value)) {
    const kept = value.map(part => dropNulls(part, depth + 1));
    return kept.some((part, i) => part !== value[i]) ? kept : value;
  }
  const changed = new Map<string, unknown>();
  for (const [name, part] of Object.entries(value)) {
    const kept = STRUCTURED_FIELDS.has(name) ? dropNulls(part, depth + 1) : part;
    if (part === null || kept !== part) changed.set(name, kept);
  }
  return changed.size === 0 ? value : replaceFields(value, changed);
}

/** Null removes a field. */
function replaceFields(value: object, changed: ReadonlyMap<string, unknown>): object {
  const fields = Object.entries(value).map(([name, part]) => [
    name,
    changed.has(name) ? changed.get(name) : part,
  ]);
  return Object.fromEntries(fields.filter(([, part]) => part !== null));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isTextFormat(value: unknown): boolean {
  return (value as { type?: unknown } | null)?.type === 'text';
}
