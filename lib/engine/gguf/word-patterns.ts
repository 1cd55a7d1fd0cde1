// How byte-level tokenizers split a text into words, by the names that GGUF files give (`tokenizer.ggml.pre`).

type Json = Readonly<Record<string, unknown>>;

export interface WordSplit {
  normalizer?: Json;
  /** Steps before the bytes. */
  steps: readonly Json[];
  /** The bytes are split as GPT-2 does. */
  asGpt2?: boolean;
  /** Words that are tokens stay whole. */
  ignoresMerges?: boolean;
  /** A text starts with the beginning-of-sequence token unless the file says otherwise. */
  addsBos?: boolean;
}

const split = (pattern: string): Json => ({
  type: 'Split',
  pattern: { Regex: pattern },
  behavior: 'Isolated',
  invert: false,
});

const SHORT_FORMS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const REST = String.raw`\s*[\r\n]+|\s+(?!\S)|\s+`;
const PUNCTUATION = String.raw` ?[^\s\p{L}\p{N}]+`;
const MARK = String.raw`[^\r\n\p{L}\p{N}]?`;
const UPPER = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const LOWER = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;

const llama3 = split(String.raw`${SHORT_FORMS}|${MARK}\p{L}+|\p{N}{1,3}|${PUNCTUATION}[\r\n]*|${REST}`);
const qwen2 = split(String.raw`${SHORT_FORMS}|${MARK}\p{L}+|\p{N}|${PUNCTUATION}[\r\n]*|${REST}`);
const qwen35 = split(
  String.raw`${SHORT_FORMS}|${MARK}[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|${REST}`,
);
const tekken = split(
  String.raw`${MARK}${UPPER}*${LOWER}+|${MARK}${UPPER}+${LOWER}*|\p{N}|${PUNCTUATION}[\r\n/]*|${REST}`,
);
const o200k = split(
  String.raw`${MARK}${UPPER}*${LOWER}+${SHORT_FORMS}?|${MARK}${UPPER}+${LOWER}*${SHORT_FORMS}?|\p{N}{1,3}|${PUNCTUATION}[\r\n/]*|${REST}`,
);
const digits = split(String.raw`\p{N}`);

const GPT2: WordSplit = { steps: [], asGpt2: true };
const SINGLE_DIGITS: WordSplit = { steps: [digits], asGpt2: true };
const LLAMA3: WordSplit = { steps: [llama3], ignoresMerges: true, addsBos: true };

const SPLITS: Readonly<Record<string, WordSplit>> = {
  'gpt-2': GPT2,
  exaone4: GPT2,
  smollm: SINGLE_DIGITS,
  refact: SINGLE_DIGITS,
  starcoder: SINGLE_DIGITS,
  'llama-bpe': LLAMA3,
  llama3: LLAMA3,
  'llama-v3': LLAMA3,
  lfm2: LLAMA3,
  'smaug-bpe': { steps: [llama3] },
  dbrx: { steps: [llama3] },
  qwen2: { normalizer: { type: 'NFC' }, steps: [qwen2] },
  qwen35: { normalizer: { type: 'NFC' }, steps: [qwen35] },
  'deepseek-r1-qwen': { normalizer: { type: 'NFC' }, steps: [qwen2] },
  tekken: { steps: [tekken], ignoresMerges: true, addsBos: true },
  'gpt-4o': { steps: [o200k] },
  llama4: { steps: [o200k], addsBos: true },
};

export function findWordSplit(name: string): WordSplit | undefined {
  return Object.hasOwn(SPLITS, name) ? SPLITS[name] : undefined;
}

interface Tokenizer {
  normalizer?: unknown;
  pre_tokenizer?: unknown;
  model?: { ignore_merges?: boolean };
}

/** The name of how a byte-level tokenizer splits, read from its `tokenizer.json`. llama.cpp does not normalize texts. */
export function findSplitName({ normalizer, pre_tokenizer, model }: Tokenizer): string | undefined {
  const steps = toSteps(pre_tokenizer);
  const wanted = JSON.stringify(steps);
  const [name] =
    Object.entries(SPLITS).find(
      ([, { steps, asGpt2 = false, ignoresMerges = false, normalizer: own }]) =>
        JSON.stringify([...steps, { type: 'ByteLevel', asGpt2 }]) === wanted &&
        ignoresMerges === (model?.ignore_merges === true) &&
        (normalizer == null || JSON.stringify(normalizer) === JSON.stringify(own)),
    ) ?? [];
  return name;
}

/** Without what makes no difference. */
function toSteps(given: unknown): readonly Json[] {
  const { type, pretokenizers, ...step } = (given ?? {}) as Json;
  if (type === 'Sequence' && Array.isArray(pretokenizers)) return pretokenizers.flatMap(toSteps);
  if (type === 'Digits' && step.individual_digits === true) return [digits];
  if (type === 'ByteLevel' && step.add_prefix_space !== true)
    return [{ type, asGpt2: step.use_regex !== false }];
  const { Regex } = (step.pattern ?? {}) as Json;
  return [
    type === 'Split' && step.behavior === 'Isolated' && step.invert !== true && Regex
      ? split(Regex as string)
      : { type, ...step },
  ];
}
