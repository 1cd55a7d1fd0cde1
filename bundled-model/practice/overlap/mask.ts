// Texts in the form that is compared: words in lower case, with a gap for each value. Unnamed values are recognized by
// their form, in the same way on both sides.

const GAP = '_';

/** The sentences of a text, each as a list of words. */
export function maskSentences(text: string, values: readonly string[] = []): string[][] {
  return removeValues(text, values)
    .split(/(?<=[.!?:])\s+|\s*\n\s*/)
    .map(maskWords)
    .filter(words => words.length > 0);
}

/** Longest first, so that a first name does not break up a full name. */
function removeValues(text: string, values: readonly string[]): string {
  const longestFirst = [...values].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, value) => {
    const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return rest.replace(new RegExp(`(?<![\\p{L}\\d])${escaped}(?![\\p{L}\\d])`, 'gu'), GAP);
  }, text);
}

function maskWords(sentence: string): string[] {
  const words: string[] = [];
  for (const [at, raw] of sentence.split(/\s+/).entries()) {
    const word = raw === GAP ? raw : stripPunctuation(raw);
    const masked = looksLikeValue(raw, word, at) ? GAP : word.toLowerCase();
    if (masked !== '' && !(masked === GAP && words.at(-1) === GAP)) words.push(masked);
  }
  return words;
}

export function stripPunctuation(word: string): string {
  return word.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '');
}

/** A digit, an address, or a capital inside a sentence. */
function looksLikeValue(raw: string, word: string, at: number): boolean {
  if (raw.includes(GAP) || /[\d@]/.test(word)) return true;
  return at > 0 && /^\p{Lu}/u.test(word) && !/^I\b/.test(word);
}
