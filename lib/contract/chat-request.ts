// Reads a chat-completions request as its published format means it: null is absent, what the format does not list
// is ignored, and what it lists but this server did not build is refused by name, unless its value asks for nothing.
import * as z from 'zod/mini';
import { boundConversation, boundList } from './bounded.js';
import { type ChatCompletionRequest, chatCompletionRequest, MOST_TOOLS } from './chat.js';
import { ApiError } from './errors.js';
import { parseRequest } from './validate.js';

/** Fields that ask for a feature, each with the values that ask for nothing. */
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

/** The features of the format that a server may build; each is refused unless it is named as built. */
export type ChatFeature =
  | 'n'
  | 'frequency_penalty'
  | 'presence_penalty'
  | 'logprobs'
  | 'top_logprobs'
  | 'response_format'
  | 'tools'
  | 'tool_choice';

/** The request, or an `ApiError` with the parameter that does not fit or is not built here. */
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

/** Only text can be read here; the format also lists images, sound and files. */
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

/** Where nulls are taken as absent. What lies in other fields is the caller's own: a null in there means something. */
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

/** Looked at before anything else is. */
const sizes = z.object({
  messages: boundConversation(z.unknown()),
  tools: boundList(z.unknown(), MOST_TOOLS),
});

/** Deeper than this nothing of the format goes. */
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

/** Null takes a field away. */
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
