// A model's tokens: by ID, as bytes, and those that start, end and pad a text.
import { TextError } from './errors.js';
import { isObject, type JsonFile, type TextFiles } from './text-files.js';

/** A marker, which is matched as a whole. */
export interface AddedToken {
  readonly id: number;
  readonly content: string;
  /** Whether `skipSpecialTokens` leaves it out of decoded text. */
  readonly special: boolean;
  /** Whether it is matched as the normalizer writes it, in the normalized text. */
  readonly normalized: boolean;
  /** Whether it is matched only as a word of its own. */
  readonly singleWord: boolean;
}

export interface Vocabulary {
  readonly size: number;
  readonly added: readonly AddedToken[];
  /** The length of the longest token, as the vocabulary writes it. */
  readonly longest: number;
  idOf(token: string): number | undefined;
  tokenOf(id: number): string | undefined;
  isAdded(id: number): boolean;
  isSpecial(id: number): boolean;
}

const MOST_TOKENS = 2 ** 22;

/** Supports only BPE models, which all supported architectures have. */
export function readVocabulary({ path, content }: JsonFile): Vocabulary {
  const model = isObject(content.model) ? content.model : {};
  const isBytePair = (model.type ?? 'BPE') === 'BPE' && isObject(model.vocab) && Array.isArray(model.merges);
  if (!isBytePair) {
    const found = typeof model.type === 'string' ? `a ${model.type} model` : 'an unknown model';
    throw new TextError(`${path} has ${found}; only BPE tokenizers are supported.`);
  }

  const added = readAddedTokens(content);
  const ids = new Map(Object.entries(model.vocab as Record<string, number>));
  for (const { content: token, id } of added) ids.set(token, id);
  for (const [token, id] of ids)
    if (!Number.isInteger(id) || id < 0 || id > MOST_TOKENS)
      throw new TextError(
        `${path}: the ID of the token ${JSON.stringify(token.slice(0, 80))} is not a whole number from 0 to ${MOST_TOKENS}.`,
      );
  const tokens: string[] = [];
  for (const [token, id] of ids) tokens[id] = token;
  const addedIds = new Set(added.map(({ id }) => id));
  const specialIds = new Set(added.filter(({ special }) => special).map(({ id }) => id));
  return {
    size: tokens.length,
    added,
    longest: tokens.reduce((most, token) => Math.max(most, token.length), 1),
    idOf: token => ids.get(token),
    tokenOf: id => tokens[id],
    isAdded: id => addedIds.has(id),
    isSpecial: id => specialIds.has(id),
  };
}

function readAddedTokens(content: JsonFile['content']): AddedToken[] {
  const listed = Array.isArray(content.added_tokens) ? content.added_tokens.filter(isObject) : [];
  return listed.map(({ id, content, special, normalized, single_word }) => ({
    id: id as number,
    content: content as string,
    special: special === true,
    normalized: normalized === undefined ? special !== true : normalized === true,
    singleWord: single_word === true,
  }));
}

/** The source of a regular expression that matches any of these tokens, the longest first. */
export function anyOfPattern(tokens: readonly string[]): string {
  const escaped = tokens.map(token => token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return `(?:${escaped.sort((a, b) => b.length - a.length).join('|') || '(?!)'})`;
}

const printable = (byte: number) =>
  (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte <= 0xff && byte !== 0xad);

/**
 * The character of each byte in the alphabet of byte-level tokenizers: printable bytes are themselves, the others are
 * characters from U+0100 on, in order.
 */
export const byteCharacters: readonly string[] = writeAlphabet();

const bytesOfCharacters = new Map(byteCharacters.map((character, byte) => [character, byte]));

function writeAlphabet(): string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(printable(byte) ? byte : next++));
}

/** The bytes of a token. A token outside the alphabet is its own text. */
export function toBytes(token: string): Uint8Array {
  const bytes = new Uint8Array(token.length);
  for (let index = 0; index < token.length; index++) {
    const byte = bytesOfCharacters.get(token[index]!);
    if (byte === undefined) return new TextEncoder().encode(token);
    bytes[index] = byte;
  }
  return bytes;
}

/** The tokens that start, end and pad a text. */
export interface SpecialTokens {
  /** The tokenizer's own first, then others that end generation. */
  readonly eosIds: readonly number[];
  /** The variables of chat templates for these tokens: `bos_token`, `eos_token`, …; empty if a token is missing. */
  readonly variables: Readonly<Record<string, string>>;
}

const names = ['bos_token', 'eos_token', 'pad_token', 'unk_token'] as const;

/** Reads them from tokenizer_config.json and generation_config.json. */
export function readSpecialTokens({ config, generation }: TextFiles, vocabulary: Vocabulary): SpecialTokens {
  const variables = Object.fromEntries(names.map(name => [name, textOf(config.content[name])]));
  const ownEos = vocabulary.idOf(variables.eos_token!);
  if (variables.eos_token && ownEos === undefined) {
    throw new TextError(
      `${config.path}: eos_token ${JSON.stringify(variables.eos_token)} is not in the vocabulary.`,
    );
  }
  const generationIds = [generation?.content.eos_token_id].flat().filter(Number.isInteger) as number[];
  return {
    eosIds: [...new Set([...(ownEos === undefined ? [] : [ownEos]), ...generationIds])],
    variables,
  };
}

/** A token is a string, or an object with the string as `content`. */
function textOf(token: unknown): string {
  const text = isObject(token) ? token.content : token;
  return typeof text === 'string' ? text : '';
}
