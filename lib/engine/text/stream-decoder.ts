// Decodes token IDs to text as they arrive. Bytes of an incomplete character are held back; everything else is emitted
// immediately. Whole texts use the same decoder, so both always agree.

import { TextError } from './errors.js';
import { isObject, type Json, type JsonFile } from './text-files.js';
import { toBytes, type Vocabulary } from './vocabulary.js';

export interface DecodeOptions {
  /** Leaves out tokens like `<|im_end|>`. Defaults to false. */
  readonly skipSpecialTokens?: boolean;
  /** The text goes on with another one, so it keeps the space at its start. Defaults to false. */
  readonly continues?: boolean | undefined;
}

export interface StreamDecoder {
  /** Returns the text that this token completes; often empty. */
  push(id: number): string;
  /** Returns the rest: replacement characters for bytes that never became a character. */
  flush(): string;
}

export function createStreamDecoder(
  vocabulary: Vocabulary,
  rules: DecodingRules,
  { skipSpecialTokens = false, continues = false }: DecodeOptions = {},
): StreamDecoder {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let toStrip = continues ? 0 : rules.stripStart.count;

  function strip(text: string): string {
    let rest = text;
    for (; toStrip > 0 && rest.startsWith(rules.stripStart.content); toStrip--)
      rest = rest.slice(rules.stripStart.content.length);
    if (rest) toStrip = 0;
    return rest;
  }

  return {
    push(id) {
      const token = vocabulary.tokenOf(id);
      if (token === undefined || (skipSpecialTokens && vocabulary.isSpecial(id))) return '';
      const piece = toPiece(token, vocabulary.isAdded(id), rules);
      return strip(typeof piece === 'string' ? utf8.decode() + piece : utf8.decode(piece, { stream: true }));
    },
    flush: () => strip(utf8.decode()),
  };
}

/** A token that stands for a byte. */
const fallbackByte = /^<0x([0-9A-Fa-f]{2})>$/;

/** Bytes may be part of a character. A string is complete, and ends any incomplete character before it. */
function toPiece(token: string, isAdded: boolean, rules: DecodingRules): Uint8Array | string {
  if (rules.byteLevel) return isAdded ? token : toBytes(token);
  const byte = rules.byteFallback ? fallbackByte.exec(token)?.[1] : undefined;
  if (byte !== undefined) return Uint8Array.of(Number.parseInt(byte, 16));
  return rules.replacements.reduce((text, [from, to]) => text.replaceAll(from, to), token);
}

/** The bytes of a token, possibly only part of a character. Empty for an ID without a token. */
export function bytesOfToken(id: number, vocabulary: Vocabulary, rules: DecodingRules): Uint8Array {
  const token = vocabulary.tokenOf(id);
  const piece = token === undefined ? '' : toPiece(token, vocabulary.isAdded(id), rules);
  return typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
}

/** Finds a token by its bytes. The first time takes a moment. One that stands for a single byte is found if no other has it. */
export function createIdLookup(
  vocabulary: Vocabulary,
  rules: DecodingRules,
): (bytes: Uint8Array) => number | undefined {
  const keyOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
  const readAll = () => {
    const [ids, byFallback] = [new Map<string, number>(), new Map<string, number>()];
    for (let id = 0; id < vocabulary.size; id++) {
      const bytes = bytesOfToken(id, vocabulary, rules);
      const isFallback = rules.byteFallback && fallbackByte.test(vocabulary.tokenOf(id) ?? '');
      const found = isFallback ? byFallback : ids;
      if (bytes.length > 0 && !found.has(keyOf(bytes))) found.set(keyOf(bytes), id);
    }
    return new Map([...byFallback, ...ids]);
  };
  let known: ReadonlyMap<string, number> | undefined;
  return bytes => {
    known ??= readAll();
    return known.get(keyOf(bytes));
  };
}

/** How tokens become text. */
export interface DecodingRules {
  /** Tokens are written in the byte alphabet. */
  readonly byteLevel: boolean;
  /** Tokens like `<0x0A>` are single bytes. */
  readonly byteFallback: boolean;
  /** Replacements in every token, such as `▁` by a space. */
  readonly replacements: readonly (readonly [from: string, to: string])[];
  /** Removed from the start of a text, at most `count` times. */
  readonly stripStart: { readonly content: string; readonly count: number };
}

type Rule = Partial<DecodingRules> | undefined;

const noRules: DecodingRules = {
  byteLevel: false,
  byteFallback: false,
  replacements: [],
  stripStart: { content: ' ', count: 0 },
};

/** What each decoder step adds to the rules so far; undefined if it is not supported. */
const steps: Record<string, (step: Json, before: DecodingRules) => Rule> = {
  ByteLevel: () => ({ byteLevel: true }),
  ByteFallback: () => ({ byteFallback: true }),
  Fuse: () => ({}),
  Replace: ({ pattern, content }, { replacements, byteFallback }) =>
    isObject(pattern) && typeof pattern.String === 'string' && !byteFallback
      ? { replacements: [...replacements, [pattern.String, String(content ?? '')]] }
      : undefined,
  Metaspace: ({ replacement = '▁', prepend_scheme }, { replacements }) => ({
    replacements: [...replacements, [String(replacement), ' ']],
    stripStart: { content: ' ', count: prepend_scheme === 'never' ? 0 : 1 },
  }),
  Strip: ({ content, start, stop }) =>
    typeof content === 'string' && !stop ? { stripStart: { content, count: Number(start ?? 0) } } : undefined,
};

/** Reads the `decoder` of a tokenizer.json, as far as BPE tokenizers use it. */
export function readDecodingRules({ path, content }: JsonFile): DecodingRules {
  const decoder = isObject(content.decoder) ? content.decoder : {};
  const sequence = decoder.type === 'Sequence' ? decoder.decoders : [decoder];
  let rules = noRules;
  for (const step of Array.isArray(sequence) ? sequence.filter(isObject) : []) {
    const rule = steps[String(step.type)]?.(step, rules);
    if (!rule) {
      throw new TextError(`${path} has an unsupported decoder step: ${JSON.stringify(step)}.`);
    }
    rules = { ...rules, ...rule };
  }
  return rules;
}
