// A span for each answer that a model generates, as OpenTelemetry's conventions for generative AI name it. No text of requests
// or answers is in it.

import type { Tracer } from '../../telemetry/index.js';
import type { ChoicePiece, Generation } from './pieces.js';

interface Asked {
  kind: Generation;
  /** As the caller named it. */
  requested: unknown;
  /** What answers. */
  model: string;
  requestId: string | undefined;
  tasks: readonly {
    temperature?: number | undefined;
    topP?: number | undefined;
    maxTokens?: number | undefined;
  }[];
  signal: AbortSignal;
}

const OPERATIONS = { chat: 'chat', complete: 'text_completion' } as const satisfies Record<
  Generation,
  string
>;

/** Begins now, and ends with the last piece. */
export function traceAnswer<P>(
  tracer: Tracer,
  { kind, requested, model, requestId, tasks, signal }: Asked,
  pieces: AsyncIterable<ChoicePiece<P>>,
): AsyncGenerator<ChoicePiece<P>> {
  const [first] = tasks;
  const operation = OPERATIONS[kind];
  const span = tracer.start(`${operation} ${model}`, {
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': 'svc',
      'gen_ai.request.model': typeof requested === 'string' ? requested : model,
      'gen_ai.response.model': model,
      'gen_ai.request.temperature': first?.temperature,
      'gen_ai.request.top_p': first?.topP,
      'gen_ai.request.max_tokens': first?.maxTokens,
      ...(tasks.length > 1 && { 'gen_ai.request.choice.count': tasks.length }),
      'svc.request_id': requestId,
    },
  });

  async function* passOn(): AsyncGenerator<ChoicePiece<P>> {
    const reasons: string[] = [];
    let [input, output] = [0, 0];
    let failure: Error | null = null;
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
      failure = error as Error;
      throw error;
    } finally {
      const isOver = reasons.length > 0;
      const hasLeft = signal.aborted || (!failure && !isOver);
      span.set({
        ...(isOver && {
          'gen_ai.response.finish_reasons': reasons.filter(Boolean),
          'gen_ai.usage.input_tokens': input,
          'gen_ai.usage.output_tokens': output,
        }),
        ...(hasLeft && { 'error.type': 'aborted' }),
        ...(failure && !hasLeft && { 'error.type': (failure as { code?: string }).code ?? failure.name }),
      });
      span.end(hasLeft ? 'The caller left.' : (failure?.message ?? null));
    }
  }

  return passOn();
}

interface Last {
  finishReason: string;
  usage: { promptTokens: number; completionTokens: number };
}

/** The piece that ends an answer. */
function lastOf(piece: unknown): Last | null {
  return (piece as Partial<Last>).finishReason ? (piece as Last) : null;
}
