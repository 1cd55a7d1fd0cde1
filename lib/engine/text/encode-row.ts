// Rows of a data set to examples. A row that would teach nothing is refused, so that no one trains on air unawares.
import { type ChatMessage, toTemplateMessages } from './chat-message.js';
import type { TemplateOptions } from './chat-template.js';
import type { EncodeChatOptions, EncodedText, TrainOn } from './encode-chat.js';
import { RowError, reasonOf, TextError } from './errors.js';
import { type RowShape, readRow } from './row-shape.js';
import { createTokenLocator } from './token-locator.js';
import type { Tokenizer } from './tokenizer.js';

export interface RowOptions extends Pick<TemplateOptions, 'variables'> {
  /** `assistant` unless given. */
  readonly trainOn?: TrainOn;
  /** In tokens; what is longer loses its end. */
  readonly maxLength?: number;
  /** Where the row is from, for errors. */
  readonly file?: string;
  /** Counted from 1. */
  readonly row?: number;
}

export interface EncodedRow extends EncodedText {
  readonly truncated: boolean;
}

export interface RowEncoderParts {
  readonly tokenizer: Tokenizer;
  readonly eosId: number | undefined;
  readonly hasTemplate: boolean;
  encodeChat(messages: readonly ChatMessage[], first: number, options: EncodeChatOptions): EncodedText;
}

type Shape<Kind extends RowShape['kind']> = Extract<RowShape, { kind: Kind }>;

export function createRowEncoder(parts: RowEncoderParts): (row: unknown, options?: RowOptions) => EncodedRow {
  return (row, options = {}) => {
    const { maxLength = Number.POSITIVE_INFINITY, file = 'data', row: number = 1 } = options;
    try {
      return truncate(encodeShape(parts, readRow(row, parts.hasTemplate), options), maxLength);
    } catch (error) {
      if (error instanceof TextError) throw new RowError(file, number, reasonOf(error), { cause: error });
      throw error;
    }
  };
}

function encodeShape(
  parts: RowEncoderParts,
  shape: RowShape,
  { trainOn = 'assistant', variables }: RowOptions,
): EncodedText {
  switch (shape.kind) {
    case 'chat':
      refuseSilence(shape, trainOn);
      return parts.encodeChat(shape.messages, shape.first, { trainOn, tools: shape.tools, variables });
    case 'completion':
      if (!shape.completion.trim()) throw new TextError('its completion is empty');
      return encodePlain(parts, shape.prompt + shape.completion, trainOn === 'all' ? 0 : shape.prompt.length);
    case 'text':
      if (!shape.text.trim()) throw new TextError('its text is empty');
      return encodePlain(parts, shape.text, 0);
  }
}

/** A chat whose turns to be learned say nothing would only teach to fall silent. */
function refuseSilence({ messages, first }: Shape<'chat'>, trainOn: TrainOn): void {
  const learned = toTemplateMessages(messages).filter(
    ({ role }, index) => trainOn === 'all' || (role === 'assistant' && index >= first),
  );
  if (learned.length === 0) throw new TextError('it has no assistant message to train on');
  const speaks = learned.some(({ content, tool_calls, reasoning_content }) =>
    Boolean(content.trim() || tool_calls || reasoning_content),
  );
  if (!speaks)
    throw new TextError(trainOn === 'all' ? 'its messages are empty' : 'its assistant messages are empty');
}

/** Learned from offset `from` on, with an end-of-sequence token after it. */
function encodePlain({ tokenizer, eosId }: RowEncoderParts, text: string, from: number): EncodedText {
  const { before } = tokenizer.frame;
  const tokens = tokenizer.tokenize(text);
  const ids = [
    ...before,
    ...tokens.ids,
    ...(eosId === undefined || tokens.ids.at(-1) === eosId ? [] : [eosId]),
  ];
  const start = before.length + createTokenLocator(tokenizer, text, tokens)(from);
  // Nothing comes before the first token to tell it from.
  const supervised = ids.map((_, index) => index > 0 && index >= start);
  return { ids: Int32Array.from(ids), supervised };
}

function truncate({ ids, supervised }: EncodedText, maxLength: number): EncodedRow {
  const truncated = ids.length > maxLength;
  const kept = truncated
    ? { ids: ids.slice(0, maxLength), supervised: supervised.slice(0, maxLength) }
    : { ids, supervised };
  if (kept.supervised.includes(true)) return { ...kept, truncated };
  throw new TextError(
    truncated
      ? `none of its first ${maxLength} tokens of ${ids.length} is one to train on; allow longer rows`
      : 'it has no token to train on',
  );
}
