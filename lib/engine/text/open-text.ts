// Everything about text that a model folder defines, behind one object: tokens, chat template, examples.
import { type ChatMessage, toTemplateMessages } from './chat-message.js';
import { type ChatTemplate, type RenderOptions, readChatTemplates } from './chat-template.js';
import { readDecodingRules } from './decoding-rules.js';
import {
  ALL_TURNS,
  type ChatEncoder,
  createChatEncoder,
  type EncodeChatOptions,
  type EncodedText,
} from './encode-chat.js';
import { createRowEncoder, type EncodedRow, type RowOptions } from './encode-row.js';
import { TextError } from './errors.js';
import { readSamplingDefaults, type SamplingDefaults } from './sampling-defaults.js';
import { readSpecialTokens } from './special-tokens.js';
import { createStreamDecoder, type DecodeOptions, type StreamDecoder } from './stream-decoder.js';
import { readTextFiles } from './text-files.js';
import { bytesOfToken } from './token-piece.js';
import { createTokenizer } from './tokenizer.js';

/** The tokenizer and the chat template of a model. */
export interface ModelText {
  /** Token ids of a text. Markers in it count as markers. A rendered chat needs no special tokens added. */
  encode(text: string, options?: { readonly addSpecialTokens?: boolean }): number[];
  /** No text of this many characters has fewer tokens, told without a look at it. */
  countAtLeast(characters: number): number;
  /** The text of token ids, exactly: nothing is tidied up, ids without a token are nothing. */
  decode(ids: Iterable<number>, options?: DecodeOptions): string;
  /** The same text in pieces, as ids come. */
  createStreamDecoder(options?: DecodeOptions): StreamDecoder;
  /** The bytes of a token, which may be a part of a character; none for an id without a token. */
  bytesOf(id: number): Uint8Array;
  /** A conversation as the model's chat template writes it. */
  renderChat(messages: readonly ChatMessage[], options?: RenderOptions): string;
  /** The tokens of a rendered conversation, and which of them are to be learned. */
  encodeChat(messages: readonly ChatMessage[], options: EncodeChatOptions): EncodedText;
  /** A row of a data set as an example: `messages`, `prompt` and `completion`, or `text`. Throws `RowError`. */
  encodeRow(row: unknown, options?: RowOptions): EncodedRow;
  readonly hasChatTemplate: boolean;
  /** Where generation ends; the tokenizer's own end-of-sequence token first. Empty where none is named. */
  readonly eosIds: readonly number[];
  readonly bosId: number | undefined;
  readonly padId: number | undefined;
  /** The token that ends the assistant's turn in the chat template, where it ends with one; see also `eosIds`. */
  readonly endOfTurnId: number | undefined;
  /** How tokens are drawn when nobody says; what is not in it is for the engine to choose. */
  readonly sampling: SamplingDefaults;
  /** One more than the highest id. A model's logits may be wider. */
  readonly vocabSize: number;
}

/** By how much a normalizer may make a text shorter, at the very most. */
const SHRINKING = 4;

/** Reads the text side of a model folder. Throws a `TextError` that names the file and the reason. */
export async function openText(folder: string): Promise<ModelText> {
  const files = await readTextFiles(folder);
  const tokenizer = createTokenizer(files.tokenizer);
  const { vocabulary, tokenize, frame } = tokenizer;
  const rules = readDecodingRules(files.tokenizer);
  const special = readSpecialTokens(files, vocabulary);
  const { eosIds, bosId, padId } = special;
  const templates = readChatTemplates(files, special.variables);
  const encoders = new Map<ChatTemplate, ChatEncoder>();

  function templateFor(tools: readonly unknown[] | undefined): ChatTemplate {
    if (templates) return tools ? templates.withTools : templates.plain;
    throw new TextError(
      'The base model has no chat template, in tokenizer_config.json or as chat_template.jinja.',
    );
  }

  function encoderFor(tools: readonly unknown[] | undefined): ChatEncoder {
    const template = templateFor(tools);
    const encoder = encoders.get(template) ?? createChatEncoder(template, tokenizer, special);
    encoders.set(template, encoder);
    return encoder;
  }

  const decoder = (options?: DecodeOptions) => createStreamDecoder(vocabulary, rules, options);
  return {
    encode(text, { addSpecialTokens = false } = {}) {
      const { ids } = tokenize(text);
      return addSpecialTokens ? [...frame.before, ...ids, ...frame.after] : ids;
    },
    countAtLeast: characters => Math.ceil(characters / (vocabulary.longest * SHRINKING)),
    decode(ids, options) {
      const stream = decoder(options);
      return Array.from(ids, id => stream.push(id)).join('') + stream.flush();
    },
    createStreamDecoder: decoder,
    bytesOf: id => bytesOfToken(id, vocabulary, rules),
    renderChat: (messages, options = {}) =>
      templateFor(options.tools).render(toTemplateMessages(messages), options),
    encodeChat: (messages, options) =>
      encoderFor(options.tools).encode(toTemplateMessages(messages), ALL_TURNS, options),
    encodeRow: createRowEncoder({
      tokenizer,
      eosId: eosIds[0],
      hasTemplate: templates !== undefined,
      encodeChat: (messages, choice, options) =>
        encoderFor(options.tools).encode(toTemplateMessages(messages), choice, options),
    }),
    hasChatTemplate: templates !== undefined,
    eosIds,
    bosId,
    padId,
    endOfTurnId: templates && findEndOfTurn(() => encoderFor(undefined)),
    sampling: readSamplingDefaults(files),
    vocabSize: vocabulary.size,
  };
}

/** A template that cannot be analysed, or wants more than two short messages, is an error only where it is used. */
function findEndOfTurn(encoder: () => ChatEncoder): number | undefined {
  try {
    return encoder().findEndOfTurn();
  } catch (error) {
    if (error instanceof TextError) return undefined;
    throw error;
  }
}
