// Finds values that occur in texts as whole words.
import { stripPunctuation } from './mask.js';

interface ValueFinder {
  readonly found: ReadonlySet<string>;
  read(text: string): void;
}

export function createValueFinder(values: Iterable<string>): ValueFinder {
  const byFirstWord = new Map<string, { value: string; words: string[] }[]>();
  for (const value of new Set(values)) {
    const words = toWords(value);
    byFirstWord.set(words[0]!, [...(byFirstWord.get(words[0]!) ?? []), { value, words }]);
  }
  const found = new Set<string>();
  return {
    found,
    read(text) {
      const read = toWords(text);
      for (const [at, word] of read.entries())
        for (const { value, words } of byFirstWord.get(word) ?? [])
          if (words.every((part, i) => read[at + i] === part)) found.add(value);
    },
  };
}

function toWords(text: string): string[] {
  return text
    .split(/\s+/)
    .map(stripPunctuation)
    .filter(word => word !== '');
}
