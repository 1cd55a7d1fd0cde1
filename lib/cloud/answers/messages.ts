// Writes what Anthropic's Messages API answers: one document, its events, or an error.
import { randomUUID } from 'node:crypto';
import {
  type AnthropicError,
  ApiError,
  type ChatCompletionRequest,
  type ErrorEnvelope,
  readEnvelope,
} from '../../contract/index.js';
import type { FinishReason, Piece, Usage } from '../../engine/index.js';
import type { AnswerEvent, AnswerFormat } from './answer.js';
import type { Head } from './documents.js';

/** A stop sequence that ended the answer cannot be told from the end of the turn. */
const REASONS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const satisfies Record<
  FinishReason,
  string
>;

/** How a message ended. Nothing here has a container or is refused by a classifier. */
const ending = (reason: FinishReason | null) => ({
  stop_reason: reason && REASONS[reason],
  stop_sequence: null,
  stop_details: null,
  container: null,
});

/** A block that is being written. */
type Open =
  | { kind: 'text'; text: string }
  | { kind: 'call'; id: string; index: number; name: string; input: string };

interface Ending {
  reason: FinishReason;
  usage: Usage;
}

export function messagesFormat(asked: ChatCompletionRequest, head: Head): AnswerFormat {
  const mayCall = (asked.tools?.length ?? 0) > 0;
  const document = (blocks: readonly Open[], end: Ending | null) => ({
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model: head.model,
    content: blocks.map(toBlock),
    diagnostics: null,
    ...ending(end?.reason ?? null),
    usage: {
      ...toUsage(end?.usage ?? { promptTokens: 0, completionTokens: 0 }),
      cache_creation: null,
      inference_geo: null,
      service_tier: 'standard',
      speed: null,
    },
  });

  /** Adds a piece to the blocks, and yields what is new. */
  function* advance(state: Progress, piece: Piece): Generator<AnswerEvent> {
    const { blocks } = state;
    const at = () => blocks.length - 1;
    const open = function* (block: Open) {
      if (blocks.length > 0) yield event('content_block_stop', { index: at() });
      blocks.push(block);
      const empty = block.kind === 'text' ? toBlock(block) : { ...toBlock(block), input: {} };
      yield event('content_block_start', { index: at(), content_block: empty });
      if (blocks.length === 1) yield event('ping', {});
    };
    if ('call' in piece) {
      const last = blocks.at(-1);
      const { index, name } = piece.call;
      if (last?.kind !== 'call' || last.index !== index)
        yield* open({
          kind: 'call',
          id: `toolu_${randomUUID().replaceAll('-', '')}`,
          index,
          name,
          input: '',
        });
      state.held = '';
      (blocks.at(-1) as Extract<Open, { kind: 'call' }>).input += piece.arguments;
      yield event('content_block_delta', {
        index: at(),
        delta: { type: 'input_json_delta', partial_json: piece.arguments },
      });
      return;
    }
    if (piece.finishReason) state.end = { reason: piece.finishReason, usage: piece.usage };
    // Blank text before a call is not a block.
    state.held += piece.text;
    if (blocks.at(-1)?.kind === 'call') return;
    if (mayCall && blocks.length === 0 && state.held.trim() === '' && !piece.finishReason) return;
    if (blocks.length === 0) yield* open({ kind: 'text', text: '' });
    const text = state.held;
    state.held = '';
    (blocks[0] as Extract<Open, { kind: 'text' }>).text += text;
    if (text !== '') yield event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
  }

  return {
    fields: { conversation: 'messages' },
    async collect(pieces) {
      const state = start();
      for await (const { piece } of pieces) for (const _event of advance(state, piece));
      return document(state.blocks, state.end);
    },
    async *events(pieces) {
      const state = start();
      let hasBegun = false;
      for await (const { piece } of pieces) {
        // How many tokens the prompt has is only known at the end.
        if (!hasBegun) yield event('message_start', { message: document([], null) });
        hasBegun = true;
        yield* advance(state, piece);
      }
      yield event('content_block_stop', { index: state.blocks.length - 1 });
      const { reason, usage } = state.end!;
      yield event('message_delta', { delta: ending(reason), usage: toUsage(usage) });
      yield event('message_stop', {});
    },
    failure(error) {
      const known =
        error instanceof ApiError
          ? error
          : new ApiError('internal_error', 'Something went wrong on our side.');
      return {
        event: 'error',
        data: JSON.stringify(toMessagesError(known.toEnvelope().error, known.status)),
      };
    },
  };
}

const event = (type: string, fields: object): AnswerEvent => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});

function toBlock(block: Open) {
  if (block.kind === 'text') return { type: 'text', text: block.text, citations: null };
  const { id, name, input } = block;
  return { type: 'tool_use', id, name, input: parseInput(input), caller: { type: 'direct' } };
}

/** Arguments that were cut off are no JSON. */
function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

interface Progress {
  blocks: Open[];
  /** Text that belongs to no block yet. */
  held: string;
  end: Ending | null;
}

const start = (): Progress => ({ blocks: [], held: '', end: null });

/** What was kept from an earlier request counts apart. */
function toUsage({ promptTokens, completionTokens, cachedTokens = 0 }: Usage) {
  return {
    input_tokens: promptTokens - cachedTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: 0,
    output_tokens: completionTokens,
    output_tokens_details: null,
    server_tool_use: null,
  };
}

/** Anthropic's names of errors, by status. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  413: 'request_too_large',
  415: 'invalid_request_error',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};

function toMessagesError({ message }: ErrorEnvelope['error'], status: number): AnthropicError {
  return { type: 'error', error: { type: TYPES[status] ?? 'api_error', message } };
}

/** The same refusal in Anthropic's form, with the same status and headers. */
export async function toMessagesRefusal(response: Response): Promise<Response> {
  const { status, headers } = response;
  const error = readEnvelope(await response.json(), status)!;
  const kept = new Headers(headers);
  kept.delete('content-length');
  const requestId = headers.get('x-request-id');
  if (requestId) kept.set('request-id', requestId);
  return Response.json(
    { ...toMessagesError(error, status), request_id: requestId },
    { status, headers: kept },
  );
}
