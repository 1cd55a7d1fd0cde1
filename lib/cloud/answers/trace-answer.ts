// A span for each answer of a model, as OpenTelemetry's conventions for generative AI name it. No text of requests or answers
// is in it.

import type { EmbeddingList } from '../../contract/index.js';
import type { Attributes, Span, Tracer } from '../../telemetry/index.js';
import type { ChoicePiece, Generation } from './pieces.js';

interface Asked {
  /** As the caller named it. */
  requested: unknown;
  /** What answers. */
  model: string;
  requestId: string | undefined;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
}

interface AskedText extends Asked {
  kind: Generation;
  tasks: readonly {
    temperature?: number | undefined;
    topP?: number | undefined;
    maxTokens?: number | undefined;
  }[];
}

interface AskedEmbeddings extends Asked {
  /** As the caller asked for it. */
  encodingFormat: string | undefined;
}

const OPERATIONS = { chat: 'chat', complete: 'text_completion' } as const satisfies Record<
  Generation,
  string
>;

/** Begins now, and ends with the last piece. */
export function traceAnswer<P>(
  tracer: Tracer,
  { kind, tasks, ...asked }: AskedText,
  pieces: AsyncIterable<ChoicePiece<P>>,
): AsyncGenerator<ChoicePiece<P>> {
  const [first] = tasks;
  const span = startSpan(tracer, OPERATIONS[kind], asked, {
    'gen_ai.request.temperature': first?.temperature,
    'gen_ai.request.top_p': first?.topP,
    'gen_ai.request.max_tokens': first?.maxTokens,
    ...(tasks.length > 1 && { 'gen_ai.request.choice.count': tasks.length }),
  });

  async function* passOn(): AsyncGenerator<ChoicePiece<P>> {
    const reasons: string[] = [];
    let [input, output] = [0, 0];
    let failure: unknown = null;
    try {
      for await (const each of pieces) {
        const last = lastOf(each.piece);
        if (last) {
          reasons[each.index] = last.finishReason;
          input += last.usage.promptTokens;
          output += last.usage.completionTokens;
        }
        yield each;
      }
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      const isOver = reasons.length > 0;
      if (isOver)
        span.set({
          'gen_ai.response.finish_reasons': reasons.filter(Boolean),
          'gen_ai.usage.input_tokens': input,
          'gen_ai.usage.output_tokens': output,
        });
      endSpan(span, { failure, hasLeft: asked.signal.aborted || (!failure && !isOver) });
    }
  }

  return passOn();
}

/** Embeddings in a span. */
export async function traceEmbeddings(
  tracer: Tracer,
  { encodingFormat, ...asked }: AskedEmbeddings,
  compute: () => Promise<EmbeddingList>,
): Promise<EmbeddingList> {
  const span = startSpan(tracer, 'embeddings', asked, {
    ...(encodingFormat && { 'gen_ai.request.encoding_formats': [encodingFormat] }),
  });
  let failure: unknown = null;
  try {
    const list = await compute();
    span.set({
      'gen_ai.embeddings.dimension.count': countDimensions(list),
      'gen_ai.usage.input_tokens': list.usage.prompt_tokens,
    });
    return list;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    endSpan(span, { failure, hasLeft: asked.signal.aborted });
  }
}

function countDimensions({ data: [first] }: EmbeddingList): number | undefined {
  if (typeof first?.embedding !== 'string') return first?.embedding.length;
  return Buffer.byteLength(first.embedding, 'base64') / Float32Array.BYTES_PER_ELEMENT;
}

function startSpan(
  tracer: Tracer,
  operation: string,
  { requested, model, requestId }: Asked,
  more: Attributes,
): Span {
  return tracer.start(`${operation} ${model}`, {
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': 'svc',
      'gen_ai.request.model': typeof requested === 'string' ? requested : model,
      'gen_ai.response.model': model,
      ...more,
      'svc.request_id': requestId,
    },
  });
}

function endSpan(span: Span, { failure, hasLeft }: { failure: unknown; hasLeft: boolean }): void {
  const { code, name, message } = (failure ?? {}) as Partial<Error & { code: string }>;
  if (hasLeft) span.set({ 'error.type': 'aborted' });
  else if (failure) span.set({ 'error.type': code ?? name });
  span.end(hasLeft ? 'The caller left.' : (message ?? null));
}

interface Last {
  finishReason: string;
  usage: { promptTokens: number; completionTokens: number };
}

/** The piece that ends an answer. */
function lastOf(piece: unknown): Last | null {
  return (piece as Partial<Last>).finishReason ? (piece as Last) : null;
}
