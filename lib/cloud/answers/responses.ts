// OpenAI's Responses format: converts a request to a chat, and writes the answer as a document or as the format's sequence
// of events.
import {
  ApiError,
  type ChatCompletionRequest,
  type ChatMessage,
  type ResponseItem,
  type ResponsesRequest,
  type ServedModelFacts,
  type SpokenItem,
  wantsLogprobs,
} from '../../contract/index.js';
import type { TokenLogprob, Usage } from '../../engine/index.js';
import type { EventMessage } from '../../http/index.js';
import { toShown } from '../engine-faults.js';
import type { AnswerFormat, Head, TextRequest } from './answer.js';
import { askChat, joinText, SERVICE_TIER, toLogprobEntry } from './chat.js';
import { type Block, type BlockChange, BlockList, type ChoicePiece } from './pieces.js';

/** What a response continues, and whether it is stored. */
export interface ResponseTurn {
  /** Of the response. */
  id: string;
  /** All that the model is given: earlier turns, then the request's input. */
  items: readonly SpokenItem[];
  store: boolean;
  previousId: string | null;
  conversationId: string | null;
  /** Stores the response when it has ended. Returns it as it was stored. */
  keep<D extends ResponseDocument>(document: D): Promise<D>;
  /** Called at the end, however it comes. */
  end(): void;
}

/** A response on the wire, as far as storing it matters. */
export interface ResponseDocument {
  id: string;
  status: string;
  output: ResponseItem[];
  store: boolean;
  background: boolean;
  error: { code: string; message: string } | null;
  conversation: { id: string } | null;
}

/** `recommended`: what the model is sampled with where the request does not say it. The response has to. */
export function readResponses(
  given: ResponsesRequest,
  turn: ResponseTurn,
  recommended: ServedModelFacts['sampling'],
): TextRequest<'chat'> {
  const { temperature = recommended.temperature, top_p = recommended.topP } = given;
  const request = { ...given, temperature, top_p };
  return askChat(responsesToChat(request, turn.items), (head, now) =>
    responsesFormat(request, head, turn, now),
  );
}

/** @internal */
export function responsesToChat(
  request: ResponsesRequest,
  items: readonly SpokenItem[],
): ChatCompletionRequest {
  const { instructions, max_output_tokens, temperature, top_p, stream, model } = request;
  const spoken = toMessages(items);
  if (spoken.length === 0)
    throw new ApiError('invalid_value', '`input` has only thoughts. Add a message to answer.', {
      param: 'input',
    });
  return {
    model,
    messages: instructions === undefined ? spoken : [{ role: 'system', content: instructions }, ...spoken],
    max_completion_tokens: max_output_tokens,
    temperature,
    top_p,
    stream,
    tools: request.tools?.map(({ name, description, parameters, strict }) => ({
      type: 'function',
      function: { name, description, parameters, strict },
    })),
    tool_choice: toToolChoice(request.tool_choice),
    parallel_tool_calls: request.parallel_tool_calls,
    reasoning_effort: request.reasoning?.effort,
    chat_template_kwargs: request.chat_template_kwargs,
    response_format: toResponseFormat(request),
    ...(wantsLogprobs(request) && { logprobs: true, top_logprobs: request.top_logprobs ?? 0 }),
  };
}

function toToolChoice(choice: ResponsesRequest['tool_choice']): ChatCompletionRequest['tool_choice'] {
  if (typeof choice !== 'object') return choice;
  const named = ({ name }: { name: string }) => ({ type: 'function' as const, function: { name } });
  if (choice.type === 'function') return named(choice);
  const { type, mode, tools } = choice;
  return { type, allowed_tools: { mode, tools: tools.map(named) } };
}

function toResponseFormat({ text }: ResponsesRequest): ChatCompletionRequest['response_format'] {
  const format = text?.format;
  if (format?.type !== 'json_schema') return format;
  return { type: 'json_schema', json_schema: { name: format.name, schema: format.schema } };
}

/** The assistant's thought, its text and the calls that follow form one turn. */
function toMessages(items: readonly SpokenItem[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let thought = '';
  const begin = (message: ChatMessage) => {
    const isThought = message.role === 'assistant' && thought !== '';
    messages.push(isThought ? { ...message, reasoning_content: thought } : message);
    thought = '';
  };
  for (const item of items) {
    if (item.type === 'reasoning') {
      thought += (item.content ?? []).map(textOfThought).join('');
    } else if ('role' in item) {
      begin({ role: item.role, content: joinText(item.content) });
    } else if (item.type === 'function_call_output') {
      begin({ role: 'tool', tool_call_id: item.call_id, content: joinText(item.output) });
    } else {
      const { call_id: id, name, arguments: args } = item;
      const call = { id, type: 'function', function: { name, arguments: args } } as const;
      const last = messages.at(-1);
      if (last?.role === 'assistant' && thought === '') last.tool_calls = [...(last.tool_calls ?? []), call];
      else begin({ role: 'assistant', content: null, tool_calls: [call] });
    }
  }
  return messages;
}

function textOfThought(part: unknown): string {
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  return type === 'reasoning_text' && typeof text === 'string' ? text : '';
}

type Status = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed';

type ItemStatus = Exclude<Status, 'queued' | 'failed'>;

/** A text that parses to `T`. */
type JsonOf<T> = string & { readonly parsesTo?: T };

/** An event of a known shape, so that the compiler can check it against the format. */
interface ShapedEvent<T> extends EventMessage {
  data: JsonOf<T>;
}

/** @internal */
export function responsesFormat(
  request: ResponsesRequest,
  head: Head,
  turn: ResponseTurn,
  now: () => number,
) {
  const startList = () => new BlockList((request.tools?.length ?? 0) > 0);
  let sequence = 0;

  const document = <S extends Status>(
    status: S,
    { output = [], usage, error = null }: Parts<ReturnType<typeof toItem>> = {},
  ) => ({
    id: turn.id,
    object: 'response' as const,
    created_at: head.created,
    completed_at: status === 'completed' ? now() : null,
    status,
    error,
    incomplete_details: status === 'incomplete' ? ({ reason: 'max_output_tokens' } as const) : null,
    model: head.model,
    output,
    ...(usage && { usage }),
    ...echo(request, turn),
  });

  const event = <T extends string, F extends object>(
    type: T,
    fields: F,
  ): ShapedEvent<{ type: T; sequence_number: number } & F> => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: sequence++, ...fields }),
  });

  function* open(block: Block, output_index: number) {
    yield event('response.output_item.added', { output_index, item: toItem(block, 'in_progress') });
    if (block.call) return;
    const place = { item_id: itemId(block), output_index, content_index: 0 };
    yield event('response.content_part.added', {
      ...place,
      part: block.isThought ? toThought(block) : toPart(block),
    });
  }

  function* advance({ kind, at: output_index, block, text, logprobs }: BlockChange) {
    const place = { item_id: itemId(block), output_index };
    if (kind === 'opens') yield* open(block, output_index);
    else if (kind === 'closes') yield* close(block, output_index, 'completed');
    else if (block.call) yield event('response.function_call_arguments.delta', { ...place, delta: text });
    else if (block.isThought)
      yield event('response.reasoning_text.delta', { ...place, content_index: 0, delta: text });
    else {
      const entries = logprobs.map(toEntry);
      yield event('response.output_text.delta', {
        ...place,
        content_index: 0,
        delta: text,
        logprobs: entries,
      });
    }
  }

  function* close(block: Block, output_index: number, status: ItemStatus) {
    const place = { item_id: itemId(block), output_index };
    if (block.call) {
      const { name } = block.call;
      yield event('response.function_call_arguments.done', { ...place, name, arguments: block.text });
    } else if (block.isThought) {
      const part = toThought(block);
      yield event('response.reasoning_text.done', { ...place, content_index: 0, text: part.text });
      yield event('response.content_part.done', { ...place, content_index: 0, part });
    } else {
      const part = toPart(block);
      const { text, logprobs } = part;
      yield event('response.output_text.done', { ...place, content_index: 0, text, logprobs });
      yield event('response.content_part.done', { ...place, content_index: 0, part });
    }
    yield event('response.output_item.done', { output_index, item: toItem(block, status) });
  }

  const statusOf = ({ last }: BlockList) => (last!.finishReason === 'length' ? 'incomplete' : 'completed');

  function finish(list: BlockList) {
    const { blocks, last } = list;
    const status = statusOf(list);
    const output = blocks.map((block, i) => toItem(block, i === blocks.length - 1 ? status : 'completed'));
    return turn.keep(document(status, { output, usage: toUsage(last!.usage) }));
  }

  async function* write(pieces: AsyncIterable<ChoicePiece>) {
    const list = startList();
    let hasBegun = false;
    // Nobody may be waiting for a background response, so it is announced before the engine has accepted it.
    if (request.background) {
      yield event('response.created', { response: document('queued') });
      yield event('response.queued', { response: document('queued') });
    }
    for await (const { piece } of pieces) {
      if (!hasBegun) {
        const response = document('in_progress');
        if (!request.background) yield event('response.created', { response });
        yield event('response.in_progress', { response });
      }
      hasBegun = true;
      for (const change of list.add(piece)) yield* advance(change);
    }
    const { at, block } = list.close();
    yield* close(block, at, statusOf(list));
    yield event(`response.${statusOf(list)}`, { response: await finish(list) });
  }

  return {
    fields: { conversation: 'input', json: 'text.format' },
    async collect(pieces: AsyncIterable<ChoicePiece>) {
      try {
        const list = startList();
        for await (const { piece } of pieces) for (const _change of list.add(piece));
        return await finish(list);
      } finally {
        turn.end();
      }
    },
    async *events(pieces: AsyncIterable<ChoicePiece>) {
      try {
        yield* write(pieces);
      } finally {
        turn.end();
      }
    },
    failure(given: unknown) {
      const shown = toShown(given);
      const { code, message, param, status } = shown;
      // Clients expect a response to begin with its creation, but find an error anywhere.
      if (sequence === 0) return event('error', { code, message, param, ...shown.toEnvelope() });
      const kind = status === 429 ? 'rate_limit_exceeded' : 'server_error';
      const response = document('failed', { error: { code: kind, message } });
      // A response that failed is stored only if it was in the background.
      const unstored = !request.background && { store: false, conversation: null };
      return event('response.failed', { response: { ...response, ...unstored } });
    },
  } satisfies AnswerFormat;
}

interface Parts<Item> {
  output?: Item[];
  usage?: ReturnType<typeof toUsage>;
  error?: { code: 'server_error' | 'rate_limit_exceeded'; message: string } | null;
}

const itemId = ({ id, call, isThought }: Block) => `${call ? 'fc' : isThought ? 'rs' : 'msg'}_${id}`;

const toThought = ({ text }: Block) => ({ type: 'reasoning_text' as const, text });

function toPart({ text, logprobs }: Block) {
  return { type: 'output_text' as const, text, annotations: [], logprobs: logprobs.map(toEntry) };
}

function toItem(block: Block, status: ItemStatus) {
  const { id, call, text } = block;
  if (call)
    return {
      id: itemId(block),
      type: 'function_call' as const,
      call_id: `call_${id}`,
      name: call.name,
      arguments: text,
      status,
    };
  if (block.isThought)
    return {
      id: itemId(block),
      type: 'reasoning' as const,
      status,
      summary: [],
      content: status === 'in_progress' ? [] : [toThought(block)],
    };
  return {
    id: itemId(block),
    type: 'message' as const,
    role: 'assistant' as const,
    status,
    content: status === 'in_progress' ? [] : [toPart(block)],
  };
}

/** Unlike in chat completions, bytes are never null. */
function toEntry(scored: TokenLogprob) {
  const { top_logprobs, ...token } = toLogprobEntry(scored);
  return { ...withBytes(token), top_logprobs: top_logprobs.map(withBytes) };
}

const withBytes = <T extends { bytes: number[] | null }>(token: T) => ({
  ...token,
  bytes: token.bytes ?? [],
});

/** Clients may know more levels than the published types. */
type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

/** Echoes the request, as the format requires. */
function echo(request: ResponsesRequest, { store, previousId, conversationId }: ResponseTurn) {
  const { prompt_cache_retention: retention, reasoning: { effort = null, summary = null } = {} } = request;
  return {
    background: request.background ?? false,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    temperature: request.temperature ?? 1,
    top_p: request.top_p ?? 1,
    top_logprobs: request.top_logprobs ?? 0,
    metadata: request.metadata ?? {},
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: previousId,
    conversation: conversationId === null ? null : { id: conversationId },
    max_tool_calls: request.max_tool_calls ?? null,
    reasoning: { effort: effort as Effort | null, summary },
    service_tier: SERVICE_TIER as 'default',
    store,
    text: { format: echoFormat(request), verbosity: request.text?.verbosity ?? ('medium' as const) },
    tool_choice: request.tool_choice ?? ('auto' as const),
    tools: (request.tools ?? []).map(tool => ({
      type: tool.type,
      name: tool.name,
      description: tool.description ?? null,
      parameters: tool.parameters ?? null,
      strict: tool.strict ?? null,
    })),
    truncation: request.truncation ?? ('disabled' as const),
    ...(request.user !== undefined && { user: request.user }),
    ...(request.safety_identifier !== undefined && { safety_identifier: request.safety_identifier }),
    ...(request.prompt_cache_key !== undefined && { prompt_cache_key: request.prompt_cache_key }),
    ...(retention !== undefined && {
      prompt_cache_retention: retention.replace('_', '-') as 'in-memory' | '24h',
    }),
  };
}

function echoFormat({ text }: ResponsesRequest) {
  const format = text?.format ?? { type: 'text' as const };
  if (format.type !== 'json_schema') return format;
  const { type, name, schema, strict = null, description } = format;
  return { type, name, schema, strict, ...(description !== undefined && { description }) };
}

function toUsage({ promptTokens, completionTokens, cachedTokens = 0, thoughtTokens = 0 }: Usage) {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: 0 },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: thoughtTokens },
    total_tokens: promptTokens + completionTokens,
  };
}
