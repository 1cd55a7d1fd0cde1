// A question in the words of vLLM's API, and its answer in ours. Pure.
import type { Piece } from '../../engine/index.js';
import { EngineError } from '../../engine/index.js';
import type { Question } from '../seams/backend.js';

type Asked = Question<'chat'> | Question<'complete'>;

export function toVllmRequest(kind: 'chat' | 'complete', task: Asked, model: string): object {
  const common = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: task.maxTokens,
    temperature: task.temperature,
    top_p: task.topP,
    frequency_penalty: task.frequencyPenalty,
    presence_penalty: task.presencePenalty,
    logit_bias: task.logitBias,
    stop: task.stop,
    seed: task.seed,
  };
  if (kind === 'chat') return { ...common, messages: (task as Question<'chat'>).messages };
  const { prompt, echo } = task as Question<'complete'>;
  return { ...common, prompt, echo };
}

interface Chunk {
  choices?: { delta?: { content?: string | null }; text?: string; finish_reason?: string | null }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens?: number | null } | null;
  } | null;
  error?: { message?: string; code?: number };
}

/** The pieces of a stream of events, of which the last one comes with the usage. */
export async function* readVllmPieces(lines: AsyncIterable<string>): AsyncGenerator<Piece> {
  let reason: 'stop' | 'length' = 'stop';
  for await (const line of lines) {
    if (!line.startsWith('data:') || line.includes('[DONE]')) continue;
    const { choices = [], usage, error } = JSON.parse(line.slice('data:'.length)) as Chunk;
    if (error) throw new EngineError('internal_error', `vLLM: ${error.message ?? 'an answer failed.'}`);
    for (const { delta, text = delta?.content ?? '', finish_reason: why } of choices) {
      if (text) yield { text, tokenIds: [] };
      if (why) reason = why === 'length' ? 'length' : 'stop';
    }
    if (!usage) continue;
    const cached = usage.prompt_tokens_details?.cached_tokens;
    yield {
      text: '',
      tokenIds: [],
      finishReason: reason,
      usage: {
        promptTokens: usage.prompt_tokens,
        completionTokens: usage.completion_tokens,
        ...(cached != null && { cachedTokens: cached }),
      },
    };
    return;
  }
  throw new EngineError('engine_unavailable', 'vLLM ended an answer in the middle. Try again.');
}
