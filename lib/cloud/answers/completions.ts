// Text completions: continues texts, and writes completions as one document or as chunks of the same shape.
import {
  type Completion,
  type CompletionRequest,
  countCharacters,
  type PromptInput,
  parseCompletionRequest,
  toPromptList,
} from '../../contract/index.js';
import type { EchoedToken, EchoPiece, Piece, Usage } from '../../engine/index.js';
import { chunkEvents, errorData } from '../../http/index.js';
import type { AnswerFormat, Head, Prompt, TextRequest } from './answer.js';
import { addUsage, textOf, toSampling, writeLogprob } from './chat.js';
import { type ChoicePiece, inOrder } from './pieces.js';

/** The published format's own default. */
const MAX_TOKENS = 16;

/** Throws an `ApiError` that names the invalid or unsupported parameter. */
export function readCompletion(body: unknown): TextRequest<'complete'> {
  const request = parseCompletionRequest(body);
  const prompts = toPromptList(request.prompt);
  const { n = 1, stream = false } = request;
  return {
    model: request.model,
    kind: 'complete',
    tasks: prompts.flatMap(prompt => Array.from({ length: n }, (_, i) => toTask(request, prompt, i))),
    prompts: prompts.map(toKept),
    isStream: stream,
    format: head => completionFormat(request, head),
  };
}

/** Prompts sent as tokens have no text to keep. */
function toKept(prompt: PromptInput): Prompt | null {
  return typeof prompt === 'string' ? { messages: [{ role: 'user', content: prompt }] } : null;
}

/** Multiple answers get consecutive seeds. */
function toTask(
  request: CompletionRequest,
  prompt: PromptInput,
  index: number,
): TextRequest<'complete'>['tasks'][number] {
  const { seed } = request;
  return {
    prompt,
    echo: request.echo ?? false,
    maxTokens: request.max_tokens ?? MAX_TOKENS,
    ...toSampling(request),
    logprobs: request.logprobs,
    seed: seed === undefined ? undefined : seed + index,
  };
}

type AnyPiece = Piece | EchoPiece;

type Choice = Completion['choices'][number];

function completionFormat(request: CompletionRequest, given: Head): AnswerFormat<AnyPiece> {
  const head = { ...given, id: `cmpl-${given.id}`, object: 'text_completion' as const };
  const { n = 1, logprobs } = request;
  const includeUsage = request.stream_options?.include_usage ?? false;

  function createWriter(index: number): (piece: AnyPiece) => Choice {
    const record = logprobs === undefined ? null : createTokenRecord();
    return piece => {
      const { text, finishReason = null } = piece;
      const tokens: readonly EchoedToken[] = ('logprobs' in piece && piece.logprobs) || [];
      return {
        index,
        text,
        logprobs: record ? record.add(tokens, 'isPrompt' in piece ? text : undefined) : null,
        finish_reason: finishReason && (finishReason === 'length' ? 'length' : 'stop'),
      };
    };
  }

  async function* choices(pieces: AsyncIterable<ChoicePiece<AnyPiece>>, usages: Map<number, Usage>) {
    const writers = new Map<number, (piece: AnyPiece) => Choice>();
    for await (const { index, piece } of pieces) {
      const write = writers.get(index) ?? createWriter(index);
      writers.set(index, write);
      if (piece.finishReason) usages.set(index, piece.usage);
      yield write(piece);
    }
  }

  /** Shared by answers to the same prompt. */
  const sum = (usages: ReadonlyMap<number, Usage>) =>
    addUsage(
      inOrder(usages).map(([, usage]) => usage),
      n,
    );

  async function* chunks(pieces: AsyncIterable<ChoicePiece<AnyPiece>>) {
    const usages = new Map<number, Usage>();
    const rest = includeUsage && { usage: null };
    for await (const choice of choices(pieces, usages)) yield { ...head, choices: [choice], ...rest };
    if (includeUsage) yield { ...head, choices: [], usage: sum(usages) };
  }

  return {
    fields: { conversation: 'prompt' },
    async collect(pieces): Promise<Completion> {
      const usages = new Map<number, Usage>();
      const whole = new Map<number, Choice>();
      for await (const choice of choices(pieces, usages)) {
        const before = whole.get(choice.index);
        whole.set(choice.index, before ? join(before, choice) : choice);
      }
      const ordered = inOrder(whole).map(([, choice]) => choice);
      return { ...head, choices: ordered, usage: sum(usages) };
    },
    events: pieces => chunkEvents(chunks(pieces)),
    failure: error => ({ data: errorData(error) }),
  };
}

function join(a: Choice, b: Choice): Choice {
  return {
    index: a.index,
    text: a.text + b.text,
    logprobs: a.logprobs &&
      b.logprobs && {
        tokens: [...a.logprobs.tokens, ...b.logprobs.tokens],
        token_logprobs: [...a.logprobs.token_logprobs, ...b.logprobs.token_logprobs],
        top_logprobs: [...a.logprobs.top_logprobs, ...b.logprobs.top_logprobs],
        text_offset: [...a.logprobs.text_offset, ...b.logprobs.text_offset],
      },
    finish_reason: b.finish_reason,
  };
}

type Logprobs = NonNullable<Choice['logprobs']>;

interface TokenRecord {
  /** Adds columns for more tokens. `text` is the prompt's own text, which excludes any tokens before it. */
  add(tokens: readonly EchoedToken[], text?: string): Logprobs;
}

/**
 * Log probabilities in the completions format: one column per fact, and each token's offset. Covers one answer from its
 * first token.
 */
function createTokenRecord(): TokenRecord {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let length = 0;

  function place({ bytes }: EchoedToken): number {
    const start = length;
    length += countCharacters(decoder.decode(bytes, { stream: true }));
    return start;
  }

  return {
    add(tokens, text) {
      const starts = tokens.map(place);
      const extra = text === undefined ? 0 : Math.max(0, length - countCharacters(text));
      length -= extra;
      return {
        tokens: tokens.map(({ bytes }) => textOf(bytes)),
        token_logprobs: tokens.map(({ logprob }) => (logprob === null ? null : writeLogprob(logprob))),
        top_logprobs: tokens.map(token => (token.logprob === null ? null : toTop(token))),
        text_offset: starts.map(start => Math.max(0, start - extra)),
      };
    },
  };
}

/** The likeliest tokens and the chosen one, keyed by text. If several share a text, the likeliest counts. */
function toTop({ top, ...token }: EchoedToken): Record<string, number> {
  const all = [...top, { ...token, logprob: token.logprob! }];
  return Object.fromEntries(
    all
      .toSorted((a, b) => a.logprob - b.logprob)
      .map(({ bytes, logprob }) => [textOf(bytes), writeLogprob(logprob)]),
  );
}
