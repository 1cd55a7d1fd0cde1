// The steps in which a tokenizer splits a text into words. The tokenizer package ignores some of their settings, and would find
// other tokens than the model was trained on, or none: such steps are written as others that it knows, or refused.
import { isObject, type Json } from './text-files.js';
import { anyOfPattern } from './vocabulary.js';

/** How GPT-2 splits a text into words, which `ByteLevel` does too unless it is told not to. */
const GPT2_WORDS = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;

/** Words are written as bytes last, which takes the package longer than all the rest, so it is left to the words' encoder. */
export function readPreTokenizer(content: Json): { preTokenizer: unknown; byteLevel: boolean } {
  const steps = stepsOf(content.pre_tokenizer).flatMap(step => writeStep(step, content.normalizer));
  const [last, ...before] = steps.toReversed();
  if (!isObject(last) || last.type !== 'ByteLevel' || last.add_prefix_space)
    return { preTokenizer: steps.some(isObject) ? sequence(steps) : null, byteLevel: false };
  const others = last.use_regex === false ? before : [splitAt(GPT2_WORDS), ...before];
  return { preTokenizer: sequence(others.reverse()), byteLevel: true };
}

/** Of a pre-tokenizer, which may be a sequence of others. */
export function stepsOf(given: unknown): unknown[] {
  const isSequence = isObject(given) && given.type === 'Sequence';
  if (!isSequence) return [given];
  return Array.isArray(given.pretokenizers) ? given.pretokenizers.flatMap(stepsOf) : [];
}

const sequence = (pretokenizers: readonly unknown[]) => ({ type: 'Sequence', pretokenizers });

const splitAt = (pattern: string) => ({
  type: 'Split',
  pattern: { Regex: pattern },
  behavior: 'Isolated',
  invert: false,
});

function writeStep(step: unknown, normalizer: unknown): unknown[] {
  if (!isObject(step)) return [step];
  switch (step.type) {
    case 'Digits':
      // The package knows the digits 0 to 9 only, but `²` and `٣` are digits too.
      return [splitAt(step.individual_digits ? String.raw`\p{N}` : String.raw`\p{N}+`)];
    case 'Metaspace':
      return step.split === false ? [step] : [step, splitBefore(String(step.replacement ?? '▁'))];
    case 'Punctuation':
      return [writePunctuation(step)];
    case 'Split':
      return neverSplits(step, normalizer) ? [] : [writeSplit(step)];
    default:
      return [step];
  }
}

function splitBefore(mark: string) {
  const found = anyOfPattern([mark]);
  return splitAt(String.raw`${found}(?:(?!${found})[\s\S])*`);
}

/** What the package does is what `Contiguous` means. */
function writePunctuation(step: Json): unknown {
  const { behavior = 'Isolated' } = step;
  if (behavior === 'Contiguous') return step;
  if (behavior === 'Isolated') return splitAt(String.raw`[!-/:-@\[-\x60{-~\p{P}]`);
  throw new Error(`Punctuation with ${behavior}`);
}

/** Gemma's tokenizers split at spaces after they have replaced each. */
function neverSplits({ pattern, invert }: Json, normalizer: unknown): boolean {
  if (invert || !isObject(pattern) || pattern.String !== ' ' || !isObject(normalizer)) return false;
  const last = Array.isArray(normalizer.normalizers) ? normalizer.normalizers.at(-1) : normalizer;
  if (!isObject(last) || last.type !== 'Replace' || !isObject(last.pattern)) return false;
  return last.pattern.String === ' ' && typeof last.content === 'string' && !last.content.includes(' ');
}

function writeSplit(step: Json): unknown {
  const { pattern, behavior, invert } = step;
  switch (behavior) {
    case 'Isolated':
      // What is between two matches is a word, too, so that it is the same either way.
      return { ...step, invert: false };
    case 'Removed': {
      const text = !invert && isObject(pattern) && pattern.String;
      // The package keeps a text at which it splits, but not a pattern.
      return typeof text === 'string' ? { ...step, pattern: { Regex: anyOfPattern([text]) } } : step;
    }
    default:
      throw new Error(`Split with ${behavior}`);
  }
}
