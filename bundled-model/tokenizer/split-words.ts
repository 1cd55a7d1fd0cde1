// Splits texts into words; tokens never cross their edges. The trainer uses the pattern in tokenizer.json, so it counts
// what the tokenizer will see.

/**
 * Each character matches exactly one of these. Letters include one character before them, so `don't` becomes
 * `don` and `'t`. Digits and line breaks are always single: numbers are tokenized the same way everywhere, and so is the
 * header of a turn, whatever follows.
 */
export const wordPattern = [
  '[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+',
  '\\p{N}',
  ' ?[^\\s\\p{L}\\p{M}\\p{N}]+',
  '\\r?\\n',
  '[^\\S\\r\\n]+(?!\\S)', // all but the last space, which goes with what follows
  '\\s',
].join('|');

/** Tokenizers follow Unicode; JavaScript's `\s` has one character more and lacks one. */
const spaces = { '\\s': '\\p{White_Space}', '\\S': '\\P{White_Space}' } as const;

/** Returns a function that splits a text into words and markers. Joined again, they are the text. */
export function createWordSplitter(markers: readonly string[]): (text: string) => string[] {
  const source = wordPattern.replaceAll(/\\[sS]/g, name => spaces[name as keyof typeof spaces]);
  const words = new RegExp(source, 'gu');
  const marker = new RegExp(`(${markers.map(text => text.replaceAll('|', '\\|')).join('|')})`);
  return text =>
    text.split(marker).flatMap((piece, index) => (index % 2 ? [piece] : (piece.match(words) ?? [])));
}
