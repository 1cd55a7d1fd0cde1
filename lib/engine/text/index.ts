// Entry point of a model's text: everything about it that the model's folder defines, which is its tokenizer, its chat
// template, and how training examples are written.

import type { ServedModelFacts } from '../../contract/index.js';
import { type ChatMessage, toTemplateMessages } from './chat-message.js';
import {
  type ChatTemplate,
  hasChatTemplate,
  type RenderOptions,
  readChatTemplates,
} from './chat-template.js';
import {
  ALL_TURNS,
  type ChatEncoder,
  createChatEncoder,
  type EncodeChatOptions,
  type EncodedText,
} from './encode-chat.js';
import { createRowEncoder, type EncodedRow, type RowOptions } from './encode-row.js';
import { NoTemplateError, unlessRejected } from './errors.js';
import type { TokenNames } from './soft-labels.js';
import {
  bytesOfToken,
  createIdLookup,
  createStreamDecoder,
  type DecodeOptions,
  readDecodingRules,
  type StreamDecoder,
} from './stream-decoder.js';
import { type JsonFile, readChatFiles, readTextFiles } from './text-files.js';
import { countEmptyThought, endThoughts, findThoughtMarks, type Thought, thoughtAfter } from './thought.js';
import { createTokenizer, finish } from './tokenizer.js';
import type { ToolPlace } from './tool-place.js';
import { writeForTemplate } from './tool-prompt.js';
import { readSpecialTokens } from './vocabulary.js';

export type { ChatMessage } from './chat-message.js';
export { ROWS_DAY } from './encode-row.js';
export { NothingToLearnError, RowError, TextError } from './errors.js';
export { type RowTexts, readMisfit, readRowTexts, requireUsable } from './row-texts.js';
export { MOST_ALTERNATIVES, type SoftLabels } from './soft-labels.js';
export type { Thought } from './thought.js';

/** The special tokens of a text, and its chat template. */
export interface TextFacts {
  readonly bosToken: string | undefined;
  readonly eosToken: string | undefined;
  readonly padToken: string | undefined;
  readonly chatTemplate: string | undefined;
  /** For chats with tools, if there is another one for them. */
  readonly toolTemplate: string | undefined;
}

interface EncodeOptions {
  readonly addSpecialTokens?: boolean;
}

/** The tokenizer and the chat template of a model. */
export interface ModelText {
  /** The token IDs of a text. Markers in it become special tokens. A rendered chat already contains all of them. */
  encode(text: string, options?: EncodeOptions): number[];
  /** The same in pieces. Yields between them: how many tokens there are at least. */
  encodeInPieces(text: string, options?: EncodeOptions): Generator<number, number[]>;
  /** A lower bound on the number of tokens of any text with this many characters. */
  minTokenCount(characters: number): number;
  /** The exact text of token IDs, without any cleanup. IDs without a token are skipped. */
  decode(ids: Iterable<number>, options?: DecodeOptions): string;
  /** The same in pieces that take a moment each. */
  decodeInPieces(ids: Iterable<number>, options?: DecodeOptions): Generator<void, string>;
  /** Decodes the same text in pieces, as IDs arrive. */
  createStreamDecoder(options?: DecodeOptions): StreamDecoder;
  /** The bytes of a token, possibly only part of a character. Empty for an ID without a token. */
  bytesOf(id: number): Uint8Array;
  /** Whether `skipSpecialTokens` leaves it out. */
  isSpecial(id: number): boolean;
  /** Renders a conversation with the model's chat template. Where that has no place for tools, they are described in it. */
  renderChat(messages: readonly ChatMessage[], options?: RenderOptions): string;
  /** The tokens of a rendered conversation, and which of them to learn. */
  encodeChat(messages: readonly ChatMessage[], options: EncodeChatOptions): EncodedText;
  /** Encodes a row of a data set: `messages`, `prompt` and `completion`, or `text`. Throws a `RowError`. */
  encodeRow(row: unknown, options?: RowOptions): EncodedRow;
  /** The thought that an answer to this prompt may start with. Undefined if the model does not think, or not here. */
  thoughtAfter(promptIds: readonly number[]): Thought | undefined;
  readonly hasChatTemplate: boolean;
  /** Whether the chat template has a place for tools. */
  readonly rendersTools: boolean;
  /** How the model writes calls of functions. */
  readonly callNotation: ToolPlace['callNotation'];
  /** The tokens that end an answer: the tokenizer's own end-of-sequence token first, that of the chat template last. */
  readonly endIds: readonly number[];
  /** What its files say of special tokens and chats. */
  readonly facts: TextFacts;
  /** The model's sampling defaults. The engine chooses what is missing. */
  readonly sampling: ChatFacts['sampling'];
  /** The highest ID plus one. A model's logits may be wider. */
  readonly vocabSize: number;
}

/** How many tokens are decoded in a moment. */
const DECODING_PIECE = 2000;

/** More tokens than marks and the white space around them have. */
const TAIL = 32;

/** Reads the text side of a model folder. Throws a `TextError` that names the file and the reason. */
export async function openText(folder: string): Promise<ModelText> {
  const files = await readTextFiles(folder);
  const tokenizer = createTokenizer(files.tokenizer);
  const { vocabulary, frame } = tokenizer;
  const rules = readDecodingRules(files.tokenizer);
  const special = readSpecialTokens(files, vocabulary);
  const { eosIds } = special;
  const templates = readChatTemplates(files, special.variables);
  const thought = templates && findThoughtMarks(templates.plain);
  const encoders = new Map<ChatTemplate, ChatEncoder>();

  function templateFor(tools: readonly unknown[] | undefined): ChatTemplate {
    if (templates) return tools && templates.withTools.rendersTools ? templates.withTools : templates.plain;
    throw new NoTemplateError();
  }

  function encoderFor(tools: readonly unknown[] | undefined): ChatEncoder {
    const template = templateFor(tools);
    const encoder =
      encoders.get(template) ?? createChatEncoder(endThoughts(template, thought), tokenizer, special);
    encoders.set(template, encoder);
    return encoder;
  }

  const minTokenCount = (characters: number) =>
    Math.ceil(characters / (vocabulary.longest * tokenizer.shrinking));

  function* encodeInPieces(text: string, { addSpecialTokens = false }: EncodeOptions = {}) {
    yield minTokenCount(text.length);
    const { ids } = yield* tokenizer.tokenizeInPieces(text);
    return addSpecialTokens ? [...frame.before, ...ids, ...frame.after] : ids;
  }

  const renderChat: ModelText['renderChat'] = (given, options = {}) => {
    const template = templateFor(options.tools);
    const { messages, tools } = writeForTemplate(toTemplateMessages(given), options.tools, template);
    return template.render(messages, { ...options, tools });
  };

  const decoder = (options?: DecodeOptions) => createStreamDecoder(vocabulary, rules, options);

  function* decodeInPieces(ids: Iterable<number>, options?: DecodeOptions) {
    const stream = decoder(options);
    const written: string[] = [];
    for (const id of ids) {
      written.push(stream.push(id));
      if (written.length % DECODING_PIECE === 0) yield;
    }
    return written.join('') + stream.flush();
  }

  const bytesOf = (id: number) => bytesOfToken(id, vocabulary, rules);
  const tokenNames: TokenNames = {
    bytesOf,
    idOf: createIdLookup(vocabulary, rules),
    countEmptyThought: ids =>
      thought
        ? countEmptyThought(
            thought,
            Array.from(ids.subarray(0, TAIL), id => decode([id])),
          )
        : 0,
    mayFollow: id => vocabulary.isAdded(id) || Buffer.from(bytesOf(id)).toString().trim() === '',
  };

  const endOfTurnId = templates && unlessRejected(() => encoderFor(undefined).findEndOfTurn());
  const decode: ModelText['decode'] = (ids, options) => finish(decodeInPieces(ids, options));

  return {
    encode: (text, options) => finish(encodeInPieces(text, options)),
    encodeInPieces,
    minTokenCount,
    decode,
    decodeInPieces,
    createStreamDecoder: decoder,
    bytesOf,
    isSpecial: vocabulary.isSpecial,
    renderChat,
    encodeChat: (messages, options) =>
      encoderFor(options.tools).encode(toTemplateMessages(messages), ALL_TURNS, options),
    encodeRow: createRowEncoder({
      tokenizer,
      eosId: eosIds[0],
      hasTemplate: templates !== undefined,
      encodeChat: (messages, choice, options) =>
        encoderFor(options.tools).encode(toTemplateMessages(messages), choice, options),
      encodePrompt: (messages, options) =>
        tokenizer.tokenize(renderChat(messages, { ...options, addGenerationPrompt: true })).ids,
      tokenNames,
    }),
    thoughtAfter: promptIds => thought && thoughtAfter(thought, decode(promptIds.slice(-TAIL))),
    hasChatTemplate: templates !== undefined,
    rendersTools: templates?.withTools.rendersTools ?? false,
    callNotation: templates?.withTools.callNotation ?? 'tags',
    endIds: [...new Set(endOfTurnId === undefined ? eosIds : [...eosIds, endOfTurnId])],
    facts: {
      bosToken: special.variables.bos_token || undefined,
      eosToken: special.variables.eos_token || undefined,
      padToken: special.variables.pad_token || undefined,
      chatTemplate: templates?.plain.source,
      toolTemplate: templates && otherSource(templates.withTools, templates.plain),
    },
    sampling: readSampling(files.generation?.content),
    vocabSize: vocabulary.size,
  };
}

function otherSource({ source }: ChatTemplate, plain: ChatTemplate): string | undefined {
  return source === plain.source ? undefined : source;
}

type ChatFacts = Pick<ServedModelFacts, 'hasChatTemplate' | 'sampling'>;

/** Of a folder. Throws a `TextError`. */
export async function readChatFacts(folder: string): Promise<ChatFacts> {
  const files = await readChatFiles(folder);
  return { hasChatTemplate: hasChatTemplate(files), sampling: readSampling(files.generation?.content) };
}

/** From generation_config.json. `do_sample: false` means greedy decoding. Values out of range are ignored. */
export function readSampling(settings: JsonFile['content'] = {}): ChatFacts['sampling'] {
  const { do_sample: isSampled, temperature, top_p: topP, top_k: topK } = settings;
  if (isSampled === false) return { temperature: 0 };
  return {
    ...(isWithin(temperature, 2) && { temperature }),
    ...(isWithin(topP, 1) && { topP }),
    ...(isWithin(topK, Number.MAX_SAFE_INTEGER) && Number.isInteger(topK) && topK > 0 && { topK }),
  };
}

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= most;
