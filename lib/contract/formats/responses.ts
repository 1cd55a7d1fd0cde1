// OpenAI's Responses format.
import * as z from 'zod/mini';
import { boundConversation, boundList, positiveInteger, step } from '../text.js';
import { parseRequest } from '../validate.js';
import { allowedTools, MOST_TOOLS, toolList, toolName } from './chat.js';
import { refusalPart } from './chat-messages.js';
import {
  dropNulls,
  refuseFeatures,
  refuseOtherTypes,
  refuseTemplateVariables,
  requireObject,
  temperature,
  templateVariables,
  topP,
  unsupported,
} from './published-format.js';
import { ADVICE, REFUSED } from './settings.js';

const TEXT_PARTS = ['input_text', 'output_text', 'text'] as const;

/** Its text is said in place of an answer. */
const refusal = z.pipe(
  refusalPart,
  z.transform(({ refusal: text }) => ({ type: 'output_text' as const, text })),
);
const part = z.union([z.object({ type: z.enum(TEXT_PARTS), text: z.string() }), refusal]);
const content = z.union([z.string(), z.array(part)]);

const id = z.optional(z.string());

const message = z.object({
  type: z.optional(z.literal('message')),
  id,
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content,
});

const functionCall = z.object({
  type: z.literal('function_call'),
  id,
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});

const functionCallOutput = z.object({
  type: z.literal('function_call_output'),
  id,
  call_id: z.string(),
  output: content,
});

/** What was thought. Of other models, there may be only a summary, or a form that nobody else can read. */
const reasoning = z.object({
  type: z.literal('reasoning'),
  id,
  summary: z.optional(z.array(z.unknown())),
  content: z.optional(z.array(z.unknown())),
  encrypted_content: z.optional(z.string()),
});

/** An item that was stored before. */
const reference = z.strictObject({ type: z.optional(z.literal('item_reference')), id: z.string() });

const inputItem = z.union([message, functionCall, functionCallOutput, reasoning, reference]);

export type ResponsesInputItem = z.output<typeof inputItem>;

export type ItemReference = z.output<typeof reference>;

/** Whether an item of a request stands for a stored one. */
export function isReference(item: ResponsesInputItem): item is ItemReference {
  return item.type === 'item_reference' || (item.type === undefined && !('role' in item));
}

/** An item that says something itself. */
export type SpokenItem = Exclude<ResponsesInputItem, ItemReference>;

/** The same with the ID under which it is stored. */
export type ResponseItem = SpokenItem & { id: string; type: string; status?: string };

const LOGPROBS = 'message.output_text.logprobs';

const functionTool = z.object({
  type: z.literal('function'),
  name: toolName,
  description: z.optional(z.string()),
  parameters: z.optional(z.record(z.string(), z.unknown())),
  strict: z.optional(z.nullable(z.boolean())),
});

const textFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string(),
    description: z.optional(z.string()),
    schema: z.record(z.string(), z.unknown()),
    strict: z.optional(z.nullable(z.boolean())),
  }),
]);

/** Unknown fields are accepted and ignored. */
export const responsesRequest = z.looseObject({
  model: z.optional(z.unknown()),
  /** May be missing where there are earlier turns to answer. */
  input: z.optional(z.union([z.string(), boundConversation(z.array(inputItem))])),
  instructions: z.optional(z.string()),
  max_output_tokens: z.optional(positiveInteger),
  temperature: z.optional(temperature),
  top_p: z.optional(topP),
  stream: z.optional(z.boolean()),
  store: z.optional(z.boolean()),
  background: z.optional(z.boolean()),
  previous_response_id: z.optional(z.string()),
  conversation: z.optional(z.union([z.string(), z.object({ id: z.string() })])),
  /** Names what may be missing from an answer. Only log probabilities exist here. */
  include: z.optional(z.array(z.string())),
  top_logprobs: z.optional(z.int().check(z.gte(0), z.lte(20))),
  parallel_tool_calls: z.optional(z.boolean()),
  tools: z.optional(toolList(functionTool)),
  tool_choice: z.optional(
    z.union([
      z.enum(['none', 'auto', 'required']),
      z.object({ type: z.literal('function'), name: z.string() }),
      z.object({
        type: z.literal('allowed_tools'),
        mode: z.enum(['auto', 'required']),
        tools: allowedTools(z.object({ type: z.literal('function'), name: z.string() })),
      }),
    ]),
  ),
  text: z.optional(z.object({ format: z.optional(textFormat), ...ADVICE.text })),
  stream_options: z.optional(z.object(ADVICE.stream_options)),
  chat_template_kwargs: z.optional(templateVariables),
  ...ADVICE.responses,
});

export type ResponsesRequest = z.output<typeof responsesRequest>;

/** As it is listed. */
export const responseItem = z.looseObject({ id: z.string(), type: z.string() });

/** Only the fields that vary; the rest echoes the request. */
export const response = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  status: z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  incomplete_details: z.nullable(z.object({ reason: z.string() })),
  model: z.string(),
  output: z.array(responseItem),
  completed_at: z.nullable(z.int()),
  /** Missing until the response has ended. */
  usage: z.optional(
    z.object({
      input_tokens: step,
      input_tokens_details: z.object({ cached_tokens: step, cache_write_tokens: z.optional(step) }),
      output_tokens: step,
      output_tokens_details: z.object({ reasoning_tokens: step }),
      total_tokens: step,
    }),
  ),
});

export const responseTokenCount = z.object({
  object: z.literal('response.input_tokens'),
  input_tokens: step,
});

export const responseEvent = z.looseObject({ type: z.string(), sequence_number: step });

/** Fields in which null means absent. */
const STRUCTURED = new Set([
  'input',
  'items',
  'content',
  'output',
  'text',
  'format',
  'reasoning',
  'stream_options',
  'tools',
  'tool_choice',
]);

const KNOWN_ITEMS: readonly unknown[] = [
  undefined,
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'item_reference',
];

/** Far more than the format defines. */
const MOST_INCLUDES = 100;

/** Checked first. */
const sizes = z.object({
  input: boundConversation(z.unknown()),
  include: boundList(z.unknown(), MOST_INCLUDES),
  tools: boundList(z.unknown(), MOST_TOOLS),
});

/** Outputs also have parts, which count like those of a message. */
function toCounted(input: unknown): unknown {
  if (!Array.isArray(input)) return input;
  return input.map(item => ({ content: item?.content, tool_calls: item?.output }));
}

/** The request, or an `ApiError` that names the invalid or unsupported parameter. */
export function parseResponsesRequest(body: unknown): ResponsesRequest {
  const object = requireObject(body);
  parseRequest(sizes, { ...object, input: toCounted(object.input) });
  const given = dropNulls(object, STRUCTURED) as Record<string, unknown>;
  refuseFeatures(given, REFUSED.responses);
  refuseTemplateVariables(given.chat_template_kwargs);
  refuseOtherTypes('tools', given.tools, ['function'], 'only functions are');
  refuseOtherItems('input', given.input);
  return parseRequest(responsesRequest, given);
}

export function wantsLogprobs({ include = [] }: ResponsesRequest): boolean {
  return include.includes(LOGPROBS);
}

/** The items that a request adds to a conversation. At most 20 at a time, as in the published format. */
const addedItems = z.object({ items: boundList(z.array(inputItem).check(z.maxLength(20)), 20) });

/** The body's `items`, or an `ApiError` that names the invalid or unsupported one. */
export function parseConversationItems(body: unknown): ResponsesInputItem[] {
  const { items = [] } = dropNulls(requireObject(body), STRUCTURED) as { items?: unknown };
  parseRequest(z.object({ items: boundConversation(z.array(z.unknown())) }), { items: toCounted(items) });
  refuseOtherItems('items', items);
  return parseRequest(addedItems, { items }).items;
}

/** The format has more types of items and parts. */
function refuseOtherItems(list: string, items: unknown): void {
  if (!Array.isArray(items)) return;
  for (const [i, item] of items.entries()) {
    const { type, content, output } = (item ?? {}) as Record<'type' | 'content' | 'output', unknown>;
    if (type === 'reasoning') continue;
    if (!KNOWN_ITEMS.includes(type)) throw unsupported(`${list}[${i}].type`, 'only text is');
    for (const [name, parts] of Object.entries({ content, output }))
      refuseOtherTypes(`${list}[${i}].${name}`, parts, [...TEXT_PARTS, 'refusal'], 'only text is');
  }
}
