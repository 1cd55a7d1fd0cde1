// Writes an answer in the Responses format: one document, or events of all types in their order.
import { randomUUID } from 'node:crypto';
import { ApiError, type ChatCompletionRequest, type ResponsesRequest } from '../../contract/index.js';
import type { FinishReason, Piece, TokenLogprob, Usage } from '../../engine/index.js';
import type { AnswerEvent, AnswerFormat } from './answer.js';
import type { ChoicePiece } from './choices.js';
import { type Head, newCallId, toLogprobEntry } from './documents.js';

type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed';

type Entry = ReturnType<typeof toEntry>;

type ItemStatus = Exclude<Status, 'failed'>;

/** An item that is being written. */
type Open =
  | { kind: 'message'; id: string; text: string; entries: Entry[] }
  | { kind: 'call'; id: string; callId: string; index: number; name: string; arguments: string };

const newId = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '')}`;

/** A text that parses to `T`. */
type JsonOf<T> = string & { readonly parsesTo?: T };

/** An event of a known shape, so that types can be compared with those of the format. */
interface ShapedEvent<T> extends AnswerEvent {
  data: JsonOf<T>;
}

export function responsesFormat(asked: ResponsesRequest) {
  return (_: ChatCompletionRequest, head: Head) => {
    const id = newId('resp');
    const mayCall = (asked.tools?.length ?? 0) > 0;
    let sequence = 0;

    const document = <S extends Status>(
      status: S,
      { output = [], usage = null, error = null }: Parts<ReturnType<typeof toItem>> = {},
    ) => ({
      id,
      object: 'response' as const,
      created_at: head.created,
      status,
      error,
      incomplete_details: status === 'incomplete' ? ({ reason: 'max_output_tokens' } as const) : null,
      model: head.model,
      output,
      usage,
      ...echo(asked),
    });

    const event = <T extends string, F extends object>(
      type: T,
      fields: F,
    ): ShapedEvent<{ type: T; sequence_number: number } & F> => ({
      event: type,
      data: JSON.stringify({ type, sequence_number: sequence++, ...fields }),
    });

    function* open(item: Open, output_index: number) {
      const empty = item.kind === 'message' ? [] : undefined;
      yield event('response.output_item.added', { output_index, item: toItem(item, 'in_progress', empty) });
      if (item.kind === 'call') return;
      const place = { item_id: item.id, output_index, content_index: 0 };
      yield event('response.content_part.added', { ...place, part: toPart({ text: '', entries: [] }) });
    }

    function* close(item: Open, output_index: number, status: ItemStatus) {
      const place = { item_id: item.id, output_index };
      if (item.kind === 'call') {
        const { name } = item;
        yield event('response.function_call_arguments.done', { ...place, name, arguments: item.arguments });
      } else {
        const { text, entries } = item;
        yield event('response.output_text.done', { ...place, content_index: 0, text, logprobs: entries });
        yield event('response.content_part.done', { ...place, content_index: 0, part: toPart(item) });
      }
      yield event('response.output_item.done', { output_index, item: toItem(item, status) });
    }

    /** Adds a piece to the items, and yields what is new. */
    function* advance(output: Output, piece: Piece) {
      const at = () => output.items.length - 1;
      if ('call' in piece) {
        const last = output.items.at(-1);
        if (last?.kind !== 'call' || last.index !== piece.call.index) {
          if (last) yield* close(last, at(), 'completed');
          output.held = '';
          const { index, name } = piece.call;
          output.items.push({
            kind: 'call',
            id: newId('fc'),
            callId: newCallId(),
            index,
            name,
            arguments: '',
          });
          yield* open(output.items.at(-1)!, at());
        }
        const item = output.items.at(-1) as Extract<Open, { kind: 'call' }>;
        item.arguments += piece.arguments;
        const delta = piece.arguments;
        yield event('response.function_call_arguments.delta', {
          item_id: item.id,
          output_index: at(),
          delta,
        });
        return;
      }
      if (piece.finishReason) {
        output.end = { reason: piece.finishReason, usage: piece.usage };
        if (output.items.length > 0) return;
      }
      // Blank text before a call is not a message.
      output.held += piece.text;
      if (mayCall && output.items.length === 0 && output.held.trim() === '' && !piece.finishReason) return;
      if (output.items.length === 0) {
        output.items.push({ kind: 'message', id: newId('msg'), text: '', entries: [] });
        yield* open(output.items[0]!, 0);
      }
      const item = output.items.at(-1)!;
      if (item.kind === 'call') return;
      const logprobs = (('logprobs' in piece && piece.logprobs) || []).map(toEntry);
      const delta = output.held;
      output.held = '';
      item.text += delta;
      item.entries.push(...logprobs);
      if (delta === '' && logprobs.length === 0) return;
      const place = { item_id: item.id, output_index: at(), content_index: 0 };
      yield event('response.output_text.delta', { ...place, delta, logprobs });
    }

    const finished = ({ items, end }: Output) => {
      const status = end!.reason === 'length' ? 'incomplete' : 'completed';
      const last = items.length - 1;
      const output = items.map((item, i) => toItem(item, i === last ? status : 'completed'));
      return { status, document: document(status, { output, usage: toUsage(end!.usage) }) } as const;
    };

    return {
      fields: { conversation: 'input', json: 'text.format' },
      async collect(pieces: AsyncIterable<ChoicePiece>) {
        const output = start();
        for await (const { piece } of pieces) for (const _event of advance(output, piece));
        return finished(output).document;
      },
      async *events(pieces: AsyncIterable<ChoicePiece>) {
        const output = start();
        let hasBegun = false;
        for await (const { piece } of pieces) {
          if (!hasBegun) {
            const response = document('in_progress');
            yield event('response.created', { response });
            yield event('response.in_progress', { response });
          }
          hasBegun = true;
          yield* advance(output, piece);
        }
        const { status, document: response } = finished(output);
        yield* close(output.items.at(-1)!, output.items.length - 1, status);
        yield event(`response.${status}`, { response });
      },
      failure(error: unknown) {
        const message = error instanceof ApiError ? error.message : 'Something went wrong on our side.';
        const response = document('failed', { error: { code: 'server_error', message } });
        return event('response.failed', { response });
      },
    } satisfies AnswerFormat;
  };
}

interface Output {
  items: Open[];
  /** Text that belongs to no item yet. */
  held: string;
  end: { reason: FinishReason; usage: Usage } | null;
}

const start = (): Output => ({ items: [], held: '', end: null });

interface Parts<Item> {
  output?: Item[];
  usage?: ReturnType<typeof toUsage> | null;
  error?: { code: 'server_error'; message: string } | null;
}

function toPart({ text, entries }: { text: string; entries: Entry[] }) {
  return { type: 'output_text' as const, text, annotations: [], logprobs: entries };
}

function toItem(item: Open, status: ItemStatus, content?: ReturnType<typeof toPart>[]) {
  if (item.kind === 'call') {
    const { id, callId: call_id, name, arguments: given } = item;
    return { id, type: 'function_call' as const, call_id, name, arguments: given, status };
  }
  return {
    id: item.id,
    type: 'message' as const,
    role: 'assistant' as const,
    status,
    content: content ?? [toPart(item)],
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

/** What was asked, as the format repeats it. Nothing is stored, whatever was asked. */
function echo(asked: ResponsesRequest) {
  return {
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    temperature: asked.temperature ?? 1,
    top_p: asked.top_p ?? 1,
    top_logprobs: asked.top_logprobs ?? 0,
    metadata: asked.metadata ?? {},
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    text: { format: echoFormat(asked) },
    tool_choice: asked.tool_choice ?? ('auto' as const),
    tools: (asked.tools ?? []).map(tool => ({
      type: tool.type,
      name: tool.name,
      description: tool.description ?? null,
      parameters: tool.parameters ?? null,
      strict: tool.strict ?? null,
    })),
    truncation: 'disabled' as const,
    ...(asked.user !== undefined && { user: asked.user }),
    ...(asked.safety_identifier !== undefined && { safety_identifier: asked.safety_identifier }),
    ...(asked.prompt_cache_key !== undefined && { prompt_cache_key: asked.prompt_cache_key }),
  };
}

function echoFormat({ text }: ResponsesRequest) {
  const format = text?.format ?? { type: 'text' as const };
  if (format.type !== 'json_schema') return format;
  const { type, name, schema, strict = null, description } = format;
  return { type, name, schema, strict, ...(description !== undefined && { description }) };
}

function toUsage({ promptTokens, completionTokens, cachedTokens = 0 }: Usage) {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens + completionTokens,
  };
}
