// Anthropic's Messages format, with text and tool calls.
import * as z from 'zod/mini';
import { boundConversation, boundList, step } from '../text.js';
import { parseRequest } from '../validate.js';
import { MOST_TOOLS, toolList, toolName } from './chat.js';
import { pageCursor, pageLimit } from './lists.js';
import {
  dropNulls,
  refuseFeatures,
  refuseOtherTypes,
  requireObject,
  topK,
  topP,
} from './published-format.js';
import { ADVICE, REFUSED } from './settings.js';

const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const texts = z.union([z.string(), z.array(textBlock)]);

const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
});
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.optional(texts),
  is_error: z.optional(z.boolean()),
});

/** Earlier thinking. What is redacted only Anthropic's models can read. */
const thought = z.looseObject({
  type: z.enum(['thinking', 'redacted_thinking']),
  thinking: z.optional(z.string()),
});

const block = z.discriminatedUnion('type', [textBlock, toolUse, toolResult, thought]);

const message = z
  .discriminatedUnion('role', [
    z.object({ role: z.enum(['user', 'assistant']), content: z.union([z.string(), z.array(block)]) }),
    z.object({ role: z.literal('system'), content: texts }),
  ])
  .check(
    z.refine(({ role, content }) => role === 'assistant' || !Array.isArray(content) || content.length > 0, {
      path: ['content'],
      error: 'must have at least 1 entry',
    }),
  );

export type AnthropicMessage = z.output<typeof message>;

/** Chat templates close an answer that the request began, and start another one. */
const endsWithUser = z.refine<AnthropicMessage[]>(
  messages => messages.findLast(({ role }) => role !== 'system')?.role === 'user',
  { error: "must end with a user's message, because this model cannot continue an answer" },
);

const tool = z.looseObject({
  type: z.optional(z.literal('custom')),
  name: toolName,
  description: z.optional(z.string()),
  input_schema: z.record(z.string(), z.unknown()),
});

const isParallelOff = { disable_parallel_tool_use: z.optional(z.boolean()) };

const toolChoice = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['auto', 'any']), ...isParallelOff }),
  z.object({ type: z.literal('tool'), name: z.string(), ...isParallelOff }),
  z.object({ type: z.literal('none') }),
]);

const outputFormat = z.object({
  type: z.literal('json_schema'),
  schema: z.record(z.string(), z.unknown()),
});

/** The engine's limit. */
const MOST_STOPS = 4;

/** Unknown fields are accepted and ignored. */
export const messagesRequest = z.looseObject({
  model: z.unknown(),
  /** 0 only computes the prompt, which makes the next request with it faster. */
  max_tokens: step,
  messages: boundConversation(z.array(message).check(z.minLength(1), endsWithUser)),
  system: z.optional(texts),
  temperature: z.optional(z.number().check(z.gte(0), z.lte(1))),
  top_p: z.optional(topP),
  top_k: z.optional(topK),
  stop_sequences: z.optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(4096))).check(z.maxLength(MOST_STOPS)),
  ),
  stream: z.optional(z.boolean()),
  tools: z.optional(toolList(tool)),
  tool_choice: z.optional(toolChoice),
  output_config: z.optional(z.object({ format: z.optional(outputFormat), ...ADVICE.output_config })),
  output_format: z.optional(outputFormat),
  thinking: z.optional(z.looseObject({ type: z.string() })),
  ...ADVICE.messages,
});

/** Counting takes no limit for an answer. */
export const countTokensRequest = z.omit(messagesRequest, { max_tokens: true });

export const tokenCount = z.object({ input_tokens: step });

export type MessagesRequest = z.output<typeof messagesRequest>;

/** Fields in which null means absent. */
const STRUCTURED = new Set(['messages', 'content', 'output_config', 'system', 'tools', 'tool_choice']);

const KNOWN_BLOCKS: readonly unknown[] = ['text', 'tool_use', 'tool_result', 'thinking', 'redacted_thinking'];

/** Checked first. */
const sizes = z.object({
  messages: boundConversation(z.array(z.unknown())),
  tools: boundList(z.unknown(), MOST_TOOLS),
});

/** A tool result's parts count like those of a message. */
function toCounted(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map(message => ({ content: message?.content, tool_calls: partsOf(message?.content) }));
}

function partsOf(blocks: unknown): unknown[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap(block => (Array.isArray(block?.content) ? block.content : []));
}

/** A request whose tokens are counted has no limit for an answer. */
export function parseCountRequest(body: unknown): MessagesRequest {
  return parseMessagesRequest({ max_tokens: 1, ...requireObject(body) });
}

/** The request, or an `ApiError` that names the invalid or unsupported parameter. */
export function parseMessagesRequest(body: unknown): MessagesRequest {
  const object = requireObject(body);
  parseRequest(sizes, { messages: toCounted(object.messages), tools: object.tools });
  const given = dropNulls(object, STRUCTURED) as Record<string, unknown>;
  refuseFeatures(given, REFUSED.messages);
  refuseOtherBlocks(given.messages as readonly unknown[]);
  // Only Anthropic can run the format's built-in tools.
  refuseOtherTypes('tools', given.tools, [undefined, 'custom'], 'only tools of your own are');
  return parseRequest(messagesRequest, given);
}

/** The format has more block types. */
function refuseOtherBlocks(messages: readonly unknown[]): void {
  for (const [i, message] of messages.entries()) {
    const { content } = (message ?? {}) as { content?: unknown };
    const place = `messages[${i}].content`;
    refuseOtherTypes(place, content, KNOWN_BLOCKS, 'only text is');
    if (!Array.isArray(content)) continue;
    for (const [j, block] of content.entries())
      if (block.type === 'tool_result')
        refuseOtherTypes(`${place}[${j}].content`, block.content, ['text'], 'only text is');
  }
}

export const anthropicModel = z.object({
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string(),
  lifecycle: z.literal('active'),
  line: z.null(),
  capabilities: z.null(),
  max_input_tokens: z.null(),
  max_tokens: z.null(),
  deprecated_at: z.null(),
  retires_at: z.null(),
});

export type AnthropicModel = z.output<typeof anthropicModel>;

export const anthropicModelList = z.object({
  data: z.array(anthropicModel),
  first_id: z.nullable(z.string()),
  last_id: z.nullable(z.string()),
  has_more: z.boolean(),
});

export const anthropicPageQuery = z.object({
  limit: pageLimit(1000),
  after_id: pageCursor,
  before_id: pageCursor,
});

export type AnthropicPageQuery = z.output<typeof anthropicPageQuery>;

export const anthropicMessage = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.enum(['thinking', 'text', 'tool_use']) })),
  stop_reason: z.nullable(z.enum(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use'])),
  stop_sequence: z.nullable(z.string()),
  usage: z.looseObject({ input_tokens: step, output_tokens: step, cache_read_input_tokens: step }),
});

/** Error types for Anthropic's clients. @internal */
export const anthropicError = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string() }),
  request_id: z.nullable(z.string()),
});

export type AnthropicError = z.output<typeof anthropicError>;

export const anthropicEvent = z.looseObject({ type: z.string() });
