// Encodes rows of a data set as training examples. Rejects rows without anything to learn, which would otherwise go
// unnoticed.

import type { LearningMethod } from '../../contract/index.js';
import { type ChatMessage, saysSomething, type TemplateMessage, toTemplateMessages } from './chat-message.js';
import type { TemplateOptions } from './chat-template.js';
import type { EncodeChatOptions, EncodedText, TrainOn, TurnChoice } from './encode-chat.js';
import { NoTemplateError, NothingToLearnError, RowError, reasonOf, TextError } from './errors.js';
import { LOGPROBS } from './row-formats.js';
import { type PromptShape, readRow, type TextShape } from './row-shape.js';
import { cutSoftLabels, readSoftLabels, type SoftLabels, type TokenNames } from './soft-labels.js';
import type { Json } from './text-files.js';
import { createTokenLocator } from './token-locator.js';
import type { Tokenizer } from './tokenizer.js';

export interface RowOptions extends Pick<TemplateOptions, 'variables'> {
  /** Defaults to `assistant`. */
  readonly trainOn?: TrainOn;
  /** Defaults to `sft`. `dpo` takes rows with two answers, and learns nothing but these; `grpo` takes prompts. */
  readonly method?: LearningMethod | undefined;
  /** Whether what a teacher expected is read, for rows that have it. */
  readonly soft?: boolean | undefined;
  /** In tokens. Longer rows are truncated, and may then have nothing left to learn. */
  readonly maxLength?: number;
  /** The file of the row, for errors. */
  readonly file?: string;
  /** Counted from 1. */
  readonly row?: number;
}

export interface EncodedRow extends EncodedText {
  readonly truncated: boolean;
  /** In tokens, before truncation; of a pair, of the longer text. */
  readonly length: number;
  /**
   * Only for a pair: how many of its tokens are the prompt and the chosen answer. The others are the prompt again and the
   * rejected answer.
   */
  readonly chosen?: number;
  /** What a teacher expected in place of tokens of the answer. */
  readonly soft?: SoftLabels | undefined;
}

interface RowEncoderParts {
  readonly tokenizer: Tokenizer;
  readonly eosId: number | undefined;
  readonly hasTemplate: boolean;
  encodeChat(messages: readonly ChatMessage[], choice: TurnChoice, options: EncodeChatOptions): EncodedText;
  /** The tokens before an answer. */
  encodePrompt(messages: readonly ChatMessage[], options: TemplateOptions): number[];
  readonly tokenNames: TokenNames;
}

/**
 * The date in rows whose template writes today's. It never changes, so that a run continues and repeats on another day with the
 * same tokens. Llama's templates write it where there is no clock.
 */
export const ROWS_DAY = new Date(2024, 6, 26, 12);

type Shape<Kind extends TextShape['kind']> = Extract<TextShape, { kind: Kind }>;

export function createRowEncoder(parts: RowEncoderParts): (row: unknown, options?: RowOptions) => EncodedRow {
  return (row, options = {}) => {
    const { method = 'sft', maxLength = Number.POSITIVE_INFINITY, file = 'data', row: number = 1 } = options;
    try {
      const shape = readRow(row, parts.hasTemplate, method);
      if (shape.kind === 'prompt') return encodePrompt(parts, shape, options);
      if (shape.kind !== 'pair') {
        const encoded = encodeShape(parts, shape, options);
        const given = options.soft ? (row as Json)[LOGPROBS] : null;
        const soft = given == null ? undefined : findSoftLabels(parts, shape, encoded, given, options);
        return truncate({ ...encoded, soft }, maxLength);
      }
      const encode = (side: 'chosen' | 'rejected') => encodeAnswer(parts, shape[side], side, options);
      return joinPair(encode('chosen'), encode('rejected'));
    } catch (error) {
      // It is not the row's fault.
      if (error instanceof NoTemplateError) throw error;
      if (error instanceof TextError) throw new RowError(file, number, reasonOf(error), { cause: error });
      throw error;
    }
  };
}

/** The last text that the assistant says is the answer. */
function findSoftLabels(
  parts: RowEncoderParts,
  shape: TextShape,
  { ids, supervised }: EncodedText,
  given: unknown,
  options: RowOptions,
): SoftLabels | undefined {
  const isMixed = options.trainOn === 'all';
  const said = isMixed
    ? encodeShape(parts, shape, { ...options, trainOn: 'assistant' }).supervised
    : supervised;
  const to = said.lastIndexOf(true) + 1;
  if (to === 0) return undefined;
  return readSoftLabels(given, ids, { from: said.lastIndexOf(false, to - 1) + 1, to }, parts.tokenNames);
}

/** Nothing of it is learned. One that leaves no room for an answer counts as cut off. */
function encodePrompt(
  parts: RowEncoderParts,
  { messages, tools }: PromptShape,
  { maxLength = Number.POSITIVE_INFINITY, variables }: RowOptions,
): EncodedRow {
  const ids = Int32Array.from(parts.encodePrompt(messages, { tools, variables, now: ROWS_DAY }));
  const { length } = ids;
  const supervised = Array.from(ids, () => false);
  return { ids, supervised, truncated: length >= maxLength, length };
}

/** One of the two texts of a pair. A rejected answer may be empty: not to answer can be what to unlearn. */
function encodeAnswer(
  parts: RowEncoderParts,
  shape: TextShape,
  side: 'chosen' | 'rejected',
  { maxLength = Number.POSITIVE_INFINITY, variables }: RowOptions,
): EncodedRow {
  const mayBeEmpty = side === 'rejected';
  try {
    return truncate(encodeShape(parts, shape, { trainOn: 'assistant', variables, mayBeEmpty }), maxLength);
  } catch (error) {
    if (!(error instanceof TextError) || error instanceof NoTemplateError) throw error;
    const message = `its ${side} answer does not work: ${error.message}`;
    if (error instanceof NothingToLearnError) throw new NothingToLearnError(message, error);
    throw new TextError(message, { cause: error });
  }
}

/** Without one of the answers there is nothing to compare, so a pair that lost one to truncation has nothing to learn. */
function joinPair(chosen: EncodedRow, rejected: EncodedRow): EncodedRow {
  const isWhole = [chosen, rejected].every(({ supervised }) => supervised.includes(true));
  const supervised = [...chosen.supervised, ...rejected.supervised];
  return {
    ids: Int32Array.from([...chosen.ids, ...rejected.ids]),
    supervised: isWhole ? supervised : supervised.map(() => false),
    truncated: chosen.truncated || rejected.truncated,
    length: Math.max(chosen.length, rejected.length),
    chosen: chosen.ids.length,
  };
}

function encodeShape(
  parts: RowEncoderParts,
  shape: TextShape,
  { trainOn = 'assistant', variables, mayBeEmpty = false }: RowOptions & { mayBeEmpty?: boolean },
): EncodedText {
  switch (shape.kind) {
    case 'chat':
      requireContent(shape, trainOn, mayBeEmpty);
      return parts.encodeChat(shape.messages, shape, {
        ...{ trainOn, tools: shape.tools, variables },
        now: ROWS_DAY,
      });
    case 'completion':
      if (!shape.completion.trim() && !mayBeEmpty) throw nothingSaid('its completion is empty');
      return encodePlain(parts, shape.prompt + shape.completion, trainOn === 'all' ? 0 : shape.prompt.length);
    case 'text':
      if (!shape.text.trim()) throw nothingSaid('its text is empty');
      return encodePlain(parts, shape.text, 0);
  }
}

/** A chat whose learned turns are empty would only teach the model to say nothing. */
function requireContent(
  { messages, first, muted }: Shape<'chat'>,
  trainOn: TrainOn,
  mayBeEmpty: boolean,
): void {
  const isLearned = ({ role }: TemplateMessage, index: number) =>
    trainOn === 'all' || (role === 'assistant' && index >= first);
  const turns = toTemplateMessages(messages).map((message, index) => ({ message, index }));
  const spoken = turns.filter(({ message, index }) => isLearned(message, index));
  if (spoken.length === 0) throw nothingLearned('it has no assistant message to train on');
  const without = new Set(muted);
  const learned = spoken.filter(({ index }) => !without.has(index)).map(({ message }) => message);
  if (learned.length === 0) throw nothingLearned('all its assistant messages have weight 0');
  if (!learned.some(saysSomething) && !mayBeEmpty)
    throw nothingSaid(trainOn === 'all' ? 'its messages are empty' : 'its assistant messages are empty');
}

const nothingSaid = (message: string) => new NothingToLearnError(message, { isEmpty: true });
const nothingLearned = (message: string) => new NothingToLearnError(message, { isEmpty: false });

/** Encodes a text that is learned from offset `from` on, with an end-of-sequence token after it. */
function encodePlain({ tokenizer, eosId }: RowEncoderParts, text: string, from: number): EncodedText {
  const { before } = tokenizer.frame;
  const tokens = tokenizer.tokenize(text);
  const ids = [
    ...before,
    ...tokens.ids,
    ...(eosId === undefined || tokens.ids.at(-1) === eosId ? [] : [eosId]),
  ];
  // A token that is partly of the prompt is learned: the rest of it would be missing from the answer.
  const first = from === 0 ? 0 : createTokenLocator(tokenizer, text, tokens)(from, true);
  const start = before.length + first;
  // No token predicts the first one.
  const supervised = ids.map((_, index) => index > 0 && index >= start);
  return { ids: Int32Array.from(ids), supervised };
}

function truncate(
  { ids, supervised, soft }: EncodedText & Pick<EncodedRow, 'soft'>,
  maxLength: number,
): EncodedRow {
  const { length } = ids;
  if (!supervised.includes(true)) throw nothingLearned('it has no token to train on');
  if (length <= maxLength) return { ids, supervised, truncated: false, length, ...(soft && { soft }) };
  const kept = soft && cutSoftLabels(soft, maxLength);
  return {
    ids: ids.slice(0, maxLength),
    supervised: supervised.slice(0, maxLength),
    truncated: true,
    length,
    ...(kept && { soft: kept }),
  };
}
