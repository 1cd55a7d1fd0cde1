// Anthropic's Messages format: converts a request to a chat, and writes the answer as a document, events, or an error.
import {
  type AnthropicError,
  type AnthropicMessage,
  type ChatCompletionRequest,
  type ChatMessage,
  type ErrorEnvelope,
  type MessagesRequest,
  parseMessagesRequest,
  readEnvelope,
} from '../../contract/index.js';
import type { FinishReason, Piece, PromptUsage, Usage } from '../../engine/index.js';
import type { EventMessage } from '../../http/index.js';
import { toShown } from '../engine-faults.js';
import { newId } from '../openai-values.js';
import type { AnswerFormat, Head, TextRequest } from './answer.js';
import { askChat, joinText } from './chat.js';
import { type Block, type BlockChange, BlockList, type LastPiece } from './pieces.js';

/** Throws an `ApiError` that names the invalid or unsupported parameter. */
export function readMessages(body: unknown, parse = parseMessagesRequest): TextRequest<'chat'> {
  const chat = messagesToChat(parse(body));
  return askChat(chat, head => messagesFormat(head, (chat.tools?.length ?? 0) > 0));
}

/** @internal */
export function messagesToChat(request: MessagesRequest): ChatCompletionRequest {
  const { model, messages, system, max_tokens, stop_sequences, stream } = request;
  const first: ChatMessage[] = system === undefined ? [] : [{ role: 'system', content: joinText(system) }];
  return {
    model,
    messages: [...first, ...messages.flatMap(toMessages)],
    max_completion_tokens: max_tokens,
    temperature: request.temperature,
    top_p: request.top_p,
    top_k: request.top_k,
    stop: stop_sequences?.length ? stop_sequences : undefined,
    stream,
    chat_template_kwargs: toVariables(request),
    ...toTools(request),
    ...toResponseFormat(request),
  };
}

/** Without `thinking`, the template decides. */
function toVariables({ thinking }: MessagesRequest): ChatCompletionRequest['chat_template_kwargs'] {
  return thinking && { enable_thinking: thinking.type !== 'disabled' };
}

/** `output_format` is the name from when it was new. */
function toResponseFormat({ output_config, output_format }: MessagesRequest): Partial<ChatCompletionRequest> {
  const format = output_config?.format ?? output_format;
  if (!format) return {};
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema } } };
}

function toTools({ tools, tool_choice: choice }: MessagesRequest): Partial<ChatCompletionRequest> {
  const isNothing = !tools?.length && (!choice || choice.type === 'auto' || choice.type === 'none');
  if (isNothing) return {};
  const isParallelOff = choice && choice.type !== 'none' && choice.disable_parallel_tool_use;
  return {
    tools: tools?.map(({ name, description, input_schema: parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters },
    })),
    tool_choice: choice && toToolChoice(choice),
    parallel_tool_calls: isParallelOff ? false : undefined,
  };
}

function toToolChoice(
  choice: NonNullable<MessagesRequest['tool_choice']>,
): ChatCompletionRequest['tool_choice'] {
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name } };
  return choice.type === 'any' ? 'required' : choice.type;
}

/** Tool outputs become separate turns, before any text the user adds. The chat template decides about earlier thinking. */
function toMessages({ role, content }: AnthropicMessage): ChatMessage[] {
  if (typeof content === 'string') return [{ role, content }];
  const text = content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('');
  if (role === 'assistant') {
    const calls = content.flatMap(block => (block.type === 'tool_use' ? [toCall(block)] : []));
    const thought = content.map(block => (block.type === 'thinking' ? (block.thinking ?? '') : '')).join('');
    return [
      {
        role,
        content: text,
        ...(thought !== '' && { reasoning_content: thought }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
    ];
  }
  const outputs = content.flatMap((block): ChatMessage[] => {
    if (block.type !== 'tool_result') return [];
    const { tool_use_id: tool_call_id, is_error: isError } = block;
    return [{ role: 'tool', tool_call_id, content: toOutput(joinText(block.content), isError) }];
  });
  const hasText = content.some(({ type }) => type === 'text');
  return hasText ? [...outputs, { role, content: text }] : outputs;
}

/** Chat templates have no other place for what says that a tool failed. */
function toOutput(text: string, isError = false): string {
  if (!isError) return text;
  return text === '' ? 'Error' : `Error: ${text}`;
}

function toCall({ id, name, input }: { id: string; name: string; input: unknown }) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } } as const;
}

function messagesFormat(head: Head, mayCall: boolean): AnswerFormat {
  return {
    fields: { conversation: 'messages', json: 'output_config.format' },
    async collect(pieces) {
      const list = new BlockList(mayCall);
      for await (const { piece } of pieces) for (const _change of list.add(piece));
      return toDocument(head, list);
    },
    async *events(pieces) {
      const list = new BlockList(mayCall);
      let hasBegun = false;
      for await (const { piece } of pieces) {
        if (!hasBegun) {
          const usage = { completionTokens: 0, ...toPromptUsage(piece) };
          yield event('message_start', { message: toDocument(head, list, usage) });
        }
        hasBegun = true;
        for (const change of list.add(piece)) yield* toEvents(change);
      }
      yield* toEvents(list.close());
      yield event('message_delta', { delta: toEnding(list.last), usage: toUsage(list.last!.usage) });
      yield event('message_stop', {});
    },
    failure(error, requestId) {
      const shown = toShown(error);
      return {
        event: 'error',
        data: JSON.stringify(toMessagesError(shown.toEnvelope().error, shown.status, requestId ?? null)),
      };
    },
  };
}

function* toEvents({ kind, at: index, block, text }: BlockChange): Generator<EventMessage> {
  if (kind === 'closes') yield event('content_block_stop', { index });
  else if (kind === 'adds') yield event('content_block_delta', { index, delta: toDelta(block, text) });
  else {
    yield event('content_block_start', { index, content_block: toBlock(block) });
    if (index === 0) yield event('ping', {});
  }
}

function toDelta({ isThought, call }: Block, text: string) {
  if (isThought) return { type: 'thinking_delta', thinking: text };
  return call ? { type: 'input_json_delta', partial_json: text } : { type: 'text_delta', text };
}

const event = (type: string, fields: object): EventMessage => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});

/** Unknown if the backend tells it only at the end. */
function toPromptUsage(first: Piece): PromptUsage {
  return (first.finishReason ? first.usage : first.promptUsage) ?? { promptTokens: 0 };
}

function toDocument(
  { model }: Head,
  { blocks, last }: Pick<BlockList, 'blocks' | 'last'>,
  usage: Usage = last!.usage,
) {
  return {
    id: newId('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content: blocks.map(toBlock),
    diagnostics: null,
    ...toEnding(last),
    usage: {
      ...toUsage(usage),
      cache_creation: null,
      inference_geo: null,
      service_tier: 'standard',
      speed: null,
    },
  };
}

const REASONS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const satisfies Record<
  FinishReason,
  string
>;

/** The stop reason. There are no containers here, and no classifier refuses anything. */
const toEnding = (last: LastPiece | null) => ({
  stop_reason: last && (last.stopSequence === undefined ? REASONS[last.finishReason] : 'stop_sequence'),
  stop_sequence: last?.stopSequence ?? null,
  stop_details: null,
  container: null,
});

function toBlock({ id, isThought, call, text }: Block) {
  // Thoughts are not signed: they are not checked when they come back.
  if (isThought) return { type: 'thinking', thinking: text, signature: '' };
  if (!call) return { type: 'text', text, citations: null };
  const caller = { type: 'direct' };
  return { type: 'tool_use', id: `toolu_${id}`, name: call.name, input: parseInput(text), caller };
}

/** Truncated arguments are not valid JSON. */
function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Cached tokens are counted separately. */
function toUsage({ promptTokens, completionTokens, cachedTokens = 0, thoughtTokens = 0 }: Usage) {
  return {
    input_tokens: promptTokens - cachedTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: 0,
    output_tokens: completionTokens,
    output_tokens_details: { thinking_tokens: thoughtTokens },
    server_tool_use: null,
  };
}

/** Anthropic's error types, by status. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  415: 'invalid_request_error',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};

function toMessagesError(
  { message }: ErrorEnvelope['error'],
  status: number,
  request_id: string | null,
): AnthropicError {
  return { type: 'error', error: { type: TYPES[status] ?? 'api_error', message }, request_id };
}

/** The same error in Anthropic's format, with the same status and headers. */
export async function toMessagesRefusal(response: Response): Promise<Response> {
  const { status, headers } = response;
  const error = readEnvelope(await response.json(), status)!;
  const kept = new Headers(headers);
  kept.delete('content-length');
  const body = toMessagesError(error, status, headers.get('x-request-id'));
  return Response.json(body, { status, headers: kept });
}
