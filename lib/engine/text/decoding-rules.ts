// Reads the `decoder` of a tokenizer.json, as far as BPE tokenizers use it.
import { TextError } from './errors.js';
import { isObject, type Json, type JsonFile } from './text-files.js';

export interface DecodingRules {
  /** Tokens are written in the byte alphabet. */
  readonly byteLevel: boolean;
  /** Tokens like `<0x0A>` are single bytes. */
  readonly byteFallback: boolean;
  /** Replacements in every token, such as `▁` by a space. */
  readonly replacements: readonly (readonly [from: string, to: string])[];
  /** What is removed from the start of a text, at most `count` times. */
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
