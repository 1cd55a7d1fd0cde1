// Writes completions of texts: one document, or its chunks, which have the same shape.
import type { Completion, CompletionRequest } from '../../../contract/index.js';
import type { EchoedToken, EchoPiece, Piece, Usage } from '../../../engine/index.js';
import { errorData } from '../../../http/index.js';
import { type AnswerFormat, toEvents } from '../answer-format.js';
import type { ChoicePiece } from '../choices.js';
import { addUsage, type Head } from '../documents.js';
import { createTokenRecord } from './token-record.js';

type AnyPiece = Piece | EchoPiece;

type Choice = Completion['choices'][number];

export function completionFormat(asked: CompletionRequest, given: Head): AnswerFormat<AnyPiece> {
  const head = { ...given, id: `cmpl-${given.id}`, object: 'text_completion' as const };
  const { n = 1, logprobs } = asked;
  const includeUsage = asked.stream_options?.include_usage ?? false;

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

  /** Answers to the same prompt share it. */
  const sum = (usages: ReadonlyMap<number, Usage>) =>
    addUsage(
      [...usages].toSorted(([a], [b]) => a - b).map(([, usage]) => usage),
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
      const ordered = [...whole.values()].toSorted((a, b) => a.index - b.index);
      return { ...head, choices: ordered, usage: sum(usages) };
    },
    events: pieces => toEvents(chunks(pieces)),
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
