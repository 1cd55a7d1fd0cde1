// The published chat-completions format, in its own snake_case, and the Playground's request in camelCase. Requests are read
// as the published format defines: null means absent, unknown fields are ignored, and known but unsupported fields are
// refused by name unless their value requests nothing.
import * as z from 'zod/mini';
import { adapterRef } from '../deployment.js';
import { ApiError } from '../errors.js';
import { taskLabels } from '../task.js';
import { boundConversation, boundList, orNull, positiveInteger, textLike } from '../text.js';
import { parseRequest } from '../validate.js';
import { conversation, functionCall, PART_TYPES, sentConversation, toolCall } from './chat-messages.js';
import {
  choiceCount,
  dropNulls,
  logitBias,
  penalty,
  refuseFeatures,
  refuseOtherTypes,
  refuseTemplateVariables,
  requireObject,
  seed,
  stop,
  temperature,
  templateVariables,
  topK,
  topP,
  usage,
} from './published-format.js';
import { ADVICE, REFUSED, streamOptions } from './settings.js';

/** The limit in the published format. */
export const MOST_TOOLS = 128;

export function toolList<const S extends z.ZodMiniType>(tool: S) {
  return boundList(z.array(tool).check(z.maxLength(MOST_TOOLS)), MOST_TOOLS);
}

/** The tools that `tool_choice` allows; at least one. */
export function allowedTools<const S extends z.ZodMiniType>(tool: S) {
  return z.array(tool).check(z.minLength(1), z.maxLength(MOST_TOOLS));
}

/** Also as MCP servers and Anthropic's API name tools. */
export const toolName = textLike(
  /^[A-Za-z0-9_./-]{1,128}$/,
  'a name of up to 128 letters, digits and `_./-`',
);

const functionDefinition = z.object({
  name: toolName,
  description: z.optional(z.string()),
  parameters: z.optional(z.record(z.string(), z.unknown())),
  strict: z.optional(z.nullable(z.boolean())),
});

export const chatTool = z.object({ type: z.literal('function'), function: functionDefinition });

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
  z.object({
    type: z.literal('allowed_tools'),
    allowed_tools: z.object({
      mode: z.enum(['auto', 'required']),
      tools: allowedTools(
        z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
      ),
    }),
  }),
]);

/** The format's first form of `tool_choice`. */
const functionChoice = z.union([z.enum(['none', 'auto']), z.object({ name: z.string() })]);

const responseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: z.string(),
      description: z.optional(z.string()),
      schema: z.optional(z.record(z.string(), z.unknown())),
      strict: z.optional(z.nullable(z.boolean())),
    }),
  }),
]);

/** vLLM's, for answers that are one of several texts, which OpenAI's format does not have. */
const structuredOutputs = z.object({
  choice: z.optional(taskLabels),
});

/** The edge's request. Unknown fields are accepted and ignored. */
export const chatCompletionRequest = z.looseObject({
  messages: sentConversation,
  model: z.optional(z.unknown()),
  stream: z.optional(z.boolean()),
  stream_options: z.optional(streamOptions),
  temperature: z.optional(temperature),
  top_p: z.optional(topP),
  top_k: z.optional(topK),
  max_tokens: z.optional(positiveInteger),
  max_completion_tokens: z.optional(positiveInteger),
  stop: z.optional(stop),
  seed: z.optional(seed),
  n: z.optional(choiceCount),
  frequency_penalty: z.optional(penalty),
  presence_penalty: z.optional(penalty),
  logit_bias: z.optional(logitBias),
  logprobs: z.optional(z.boolean()),
  top_logprobs: z.optional(z.int().check(z.gte(0), z.lte(20))),
  response_format: z.optional(responseFormat),
  structured_outputs: z.optional(structuredOutputs),
  tools: z.optional(toolList(chatTool)),
  tool_choice: z.optional(toolChoice),
  parallel_tool_calls: z.optional(z.boolean()),
  functions: z.optional(toolList(functionDefinition)),
  function_call: z.optional(functionChoice),
  store: z.optional(z.boolean()),
  chat_template_kwargs: z.optional(templateVariables),
  ...ADVICE.chat,
});

export type ChatCompletionRequest = z.output<typeof chatCompletionRequest>;

/** Checked first. */
const sizes = z.object({
  messages: boundConversation(z.unknown()),
  tools: boundList(z.unknown(), MOST_TOOLS),
  functions: boundList(z.unknown(), MOST_TOOLS),
});

/** Fields in which null means absent. Other fields hold the caller's data, where null has a meaning. */
const STRUCTURED_FIELDS = new Set([
  'messages',
  'content',
  'tool_calls',
  'function',
  'functions',
  'tools',
  'tool_choice',
  'allowed_tools',
  'stream_options',
  'response_format',
  'json_schema',
]);

/** The request, or an `ApiError` that names the invalid or unsupported parameter. */
export function parseChatRequest(body: unknown): ChatCompletionRequest {
  const object = requireObject(body);
  parseRequest(sizes, object);
  const given = dropNulls(object, STRUCTURED_FIELDS) as Record<string, unknown>;
  refuseFeatures(given, REFUSED.chat);
  refuseTemplateVariables(given.chat_template_kwargs);
  refuseOtherTypes('tools', given.tools, [undefined, 'function'], 'only functions are');
  refuseUnbuiltParts(given.messages);
  return toToolRequest(parseRequest(chatCompletionRequest, given));
}

/** Whether an answer has a `function_call` in place of `tool_calls`. */
export function hasFunctions({ functions = [] }: ChatCompletionRequest): boolean {
  return functions.length > 0;
}

/** Functions, the format's first form of tools, as tools. Throws if a request has both, or names an unknown function. */
function toToolRequest(request: ChatCompletionRequest): ChatCompletionRequest {
  const { functions = [], function_call: choice } = request;
  if (hasFunctions(request) && request.tools?.length)
    throw new ApiError('invalid_value', '`functions` cannot be combined with `tools`.', {
      param: 'functions',
    });
  if (typeof choice === 'object' && !functions.some(({ name }) => name === choice.name))
    throw new ApiError('invalid_value', '`function_call` names a function that is not in `functions`.', {
      param: 'function_call',
    });
  if (!hasFunctions(request)) return request;
  return {
    ...request,
    tools: functions.map(given => ({ type: 'function', function: given })),
    tool_choice: typeof choice === 'object' ? { type: 'function', function: choice } : choice,
    parallel_tool_calls: false,
  };
}

/** Only text is supported; the format also allows images, audio and files. */
function refuseUnbuiltParts(messages: unknown): void {
  if (!Array.isArray(messages)) return;
  messages.forEach((message: { content?: unknown } | null, i) => {
    refuseOtherTypes(`messages[${i}].content`, message?.content, PART_TYPES, 'only text is');
  });
}

const finishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);

const tokenLogprob = z.object({
  token: z.string(),
  logprob: z.number(),
  bytes: z.nullable(z.array(z.int())),
});

const logprobs = z.object({
  content: z.nullable(z.array(z.extend(tokenLogprob, { top_logprobs: z.array(tokenLogprob) }))),
  refusal: z.optional(z.null()),
});

const text = z.optional(z.string());

const serviceTier = z.optional(z.nullable(z.string()));

export const chatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.nullable(z.string()),
        /** What was thought before it, under the two names that clients know. */
        reasoning_content: text,
        reasoning: text,
        refusal: z.optional(z.null()),
        annotations: z.optional(z.array(z.unknown())),
        tool_calls: z.optional(z.array(toolCall)),
        /** For requests with `functions`. */
        function_call: z.optional(functionCall),
      }),
      logprobs: z.optional(z.nullable(logprobs)),
      finish_reason: finishReason,
    }),
  ),
  usage,
  service_tier: serviceTier,
  system_fingerprint: z.optional(z.nullable(z.string())),
});

export type ChatCompletion = z.output<typeof chatCompletion>;

const functionCallDelta = z.optional(
  z.object({ name: z.optional(z.string()), arguments: z.optional(z.string()) }),
);

const toolCallDelta = z.object({
  index: z.int(),
  id: z.optional(z.string()),
  type: z.optional(z.literal('function')),
  function: functionCallDelta,
});

export const chatCompletionChunk = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      delta: z.object({
        role: z.optional(z.literal('assistant')),
        content: z.optional(z.nullable(z.string())),
        reasoning_content: text,
        reasoning: text,
        refusal: z.optional(z.null()),
        tool_calls: z.optional(z.array(toolCallDelta)),
        function_call: functionCallDelta,
      }),
      logprobs: z.optional(z.nullable(logprobs)),
      finish_reason: orNull(finishReason),
    }),
  ),
  usage: z.optional(z.nullable(usage)),
  service_tier: serviceTier,
  system_fingerprint: z.optional(z.nullable(z.string())),
});

export type ChatCompletionChunk = z.output<typeof chatCompletionChunk>;

/** The Playground's request, on the loopback API and on the cloud: either a base model or an adapter. */
export const inferenceRequest = z
  .strictObject({
    messages: conversation,
    baseModel: z.optional(z.string().check(z.minLength(1))),
    adapter: z.optional(adapterRef),
    stream: z.optional(z.boolean()),
    temperature: z.optional(temperature),
    topP: z.optional(topP),
    topK: z.optional(topK),
    maxTokens: z.optional(positiveInteger),
    stop: z.optional(stop),
    seed: z.optional(seed),
    /** JSON schema that the answer has to fit. */
    schema: z.optional(z.record(z.string(), z.unknown())),
    tools: z.optional(toolList(chatTool)),
    toolChoice: z.optional(toolChoice),
    /** As the trainer's option. Default: as the adapter was trained. */
    enableThinking: z.optional(z.boolean()),
  })
  .check(
    z.refine(request => (request.baseModel === undefined) !== (request.adapter === undefined), {
      path: ['adapter'],
      error: 'or `baseModel` is required, but not both',
    }),
  );

export type InferenceRequest = z.input<typeof inferenceRequest>;
