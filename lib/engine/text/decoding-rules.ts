// What the `decoder` of a tokenizer.json asks for, as far as BPE tokenizers use it.
import { TextError } from './errors.js';
import { isObject, type Json, type JsonFile } from './text-files.js';

export interface DecodingRules {
  /** Tokens are written in the byte alphabet. */
  readonly byteLevel: boolean;
  /** Tokens like `<0x0A>` stand for one byte. */
  readonly byteFallback: boolean;
  /** What stands for something else in every token, such as `▁` for a space. */
  readonly replacements: readonly (readonly [from: string, to: string])[];
  /** What is cut off the beginning of a text, and how often at most. */
  readonly cut: { readonly content: string; readonly count: number };
}

type Rule = Partial<DecodingRules> | undefined;

const noRules: DecodingRules = {
  byteLevel: false,
  byteFallback: false,
  replacements: [],
  cut: { content: ' ', count: 0 },
};

/** One step of the decoder after what the steps before it came to; undefined where that cannot be done. */
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
    cut: { content: ' ', count: prepend_scheme === 'never' ? 0 : 1 },
  }),
  Strip: ({ content, start, stop }) =>
    typeof content === 'string' && !stop ? { cut: { content, count: Number(start ?? 0) } } : undefined,
};

export function readDecodingRules({ path, content }: JsonFile): DecodingRules {
  const decoder = isObject(content.decoder) ? content.decoder : {};
  const sequence = decoder.type === 'Sequence' ? decoder.decoders : [decoder];
  let rules = noRules;
  for (const step of Array.isArray(sequence) ? sequence.filter(isObject) : []) {
    const rule = steps[String(step.type)]?.(step, rules);
    if (!rule) {
      throw new TextError(`${path} has a decoder that cannot be used here: ${JSON.stringify(step)}.`);
    }
    rules = { ...rules, ...rule };
  }
  return rules;
}
