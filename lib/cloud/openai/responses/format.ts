// Writes an answer in the Responses format: one document, or events of all types in their order.
import { randomUUID } from 'node:crypto';
import { ApiError, type ChatCompletionRequest, type ResponsesRequest } from '../../../contract/index.js';
import type { FinishReason, TokenLogprob, Usage } from '../../../engine/index.js';
import type { AnswerEvent, AnswerFormat } from '../answer-format.js';
import type { ChoicePiece } from '../choices.js';
import type { Head } from '../documents.js';
import { toLogprobEntry } from '../logprobs.js';

type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed';

type Entry = ReturnType<typeof toEntry>;

interface Progress {
  text: string;
  entries: Entry[];
  end: { reason: FinishReason; usage: Usage } | null;
}

const newId = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '')}`;

/** The only item of an output, and its only part. */
const PLACE = { output_index: 0, content_index: 0 };

/** A text that parses to `T`. */
type JsonOf<T> = string & { readonly parsesTo?: T };

/** An event of a known shape, so that types can be compared with those of the format. */
interface ShapedEvent<T> extends AnswerEvent {
  data: JsonOf<T>;
}

export function responsesFormat(asked: ResponsesRequest) {
  return (_: ChatCompletionRequest, head: Head) => {
    const [id, itemId] = [newId('resp'), newId('msg')];
    let sequence = 0;

    const document = <S extends Status>(
      status: S,
      { output = [], usage = null, error = null }: Parts<ReturnType<typeof item>> = {},
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

    const part = ({ text, entries }: Pick<Progress, 'text' | 'entries'>) => ({
      type: 'output_text' as const,
      text,
      annotations: [],
      logprobs: entries,
    });

    const item = (status: Exclude<Status, 'failed'>, content: ReturnType<typeof part>[]) => ({
      id: itemId,
      type: 'message' as const,
      role: 'assistant' as const,
      status,
      content,
    });

    const finished = (progress: Progress) => {
      const status = progress.end!.reason === 'length' ? 'incomplete' : 'completed';
      return { status, item: item(status, [part(progress)]), usage: toUsage(progress.end!.usage) } as const;
    };

    const event = <T extends string, F extends object>(
      type: T,
      fields: F,
    ): ShapedEvent<{ type: T; sequence_number: number } & F> => ({
      event: type,
      data: JSON.stringify({ type, sequence_number: sequence++, ...fields }),
    });

    function* begin() {
      const response = document('in_progress');
      yield event('response.created', { response });
      yield event('response.in_progress', { response });
      yield event('response.output_item.added', { output_index: 0, item: item('in_progress', []) });
      const empty = part({ text: '', entries: [] });
      yield event('response.content_part.added', { item_id: itemId, ...PLACE, part: empty });
    }

    function* finish(progress: Progress) {
      const { status, item: output, usage } = finished(progress);
      const { text, entries } = progress;
      const at = { item_id: itemId, ...PLACE };
      yield event('response.output_text.done', { ...at, text, logprobs: entries });
      yield event('response.content_part.done', { ...at, part: part(progress) });
      yield event('response.output_item.done', { output_index: 0, item: output });
      const response = document(status, { output: [output], usage });
      yield event(`response.${status}`, { response });
    }

    return {
      conversation: 'input',
      async collect(pieces: AsyncIterable<ChoicePiece>) {
        const progress = start();
        for await (const piece of pieces) advance(progress, piece);
        const { status, item: output, usage } = finished(progress);
        return document(status, { output: [output], usage });
      },
      async *events(pieces: AsyncIterable<ChoicePiece>) {
        const progress = start();
        let hasBegun = false;
        for await (const given of pieces) {
          if (!hasBegun) yield* begin();
          hasBegun = true;
          const { text: delta, entries: logprobs } = advance(progress, given);
          if (delta !== '' || logprobs.length > 0)
            yield event('response.output_text.delta', { item_id: itemId, ...PLACE, delta, logprobs });
        }
        yield* finish(progress);
      },
      failure(error: unknown) {
        const message = error instanceof ApiError ? error.message : 'Something went wrong on our side.';
        const response = document('failed', { error: { code: 'server_error', message } });
        return event('response.failed', { response });
      },
    } satisfies AnswerFormat;
  };
}

interface Parts<Item> {
  output?: Item[];
  usage?: ReturnType<typeof toUsage> | null;
  error?: { code: 'server_error'; message: string } | null;
}

const start = (): Progress => ({ text: '', entries: [], end: null });

/** Returns what is new. */
function advance(progress: Progress, { piece }: ChoicePiece): { text: string; entries: Entry[] } {
  if (piece.finishReason) {
    progress.end = { reason: piece.finishReason, usage: piece.usage };
    return { text: '', entries: [] };
  }
  const entries = (piece.logprobs ?? []).map(toEntry);
  progress.text += piece.text;
  progress.entries.push(...entries);
  return { text: piece.text, entries };
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
    text: { format: { type: 'text' as const } },
    tool_choice: 'auto' as const,
    tools: [],
    truncation: 'disabled' as const,
    ...(asked.user !== undefined && { user: asked.user }),
    ...(asked.safety_identifier !== undefined && { safety_identifier: asked.safety_identifier }),
    ...(asked.prompt_cache_key !== undefined && { prompt_cache_key: asked.prompt_cache_key }),
  };
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
