// Cuts texts into the words that tokens never cross. The trainer cuts by the same pattern that tokenizer.json names, so
// it counts what the tokenizer will see.

/**
 * Each character is matched by one of these. Letters take the one character before them along, which keeps `don't` at
 * `don` and `'t`. Every digit and every line break is alone: numbers are spelled alike wherever they stand, and the
 * header of a turn is cut alike whatever the turn begins with.
 */
export const wordPattern = [
  '[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+',
  '\\p{N}',
  ' ?[^\\s\\p{L}\\p{M}\\p{N}]+',
  '\\r?\\n',
  '[^\\S\\r\\n]+(?!\\S)', // all but the last space, which goes with what follows
  '\\s',
].join('|');

/** JavaScript's own `\s` counts one character more and one less than Unicode, which tokenizers go by. */
const spaces = { '\\s': '\\p{White_Space}', '\\S': '\\P{White_Space}' } as const;

/** Gives a function that cuts a text into its words and the markers in it, which together are the text again. */
export function createWordSplitter(markers: readonly string[]): (text: string) => string[] {
  const source = wordPattern.replaceAll(/\\[sS]/g, name => spaces[name as keyof typeof spaces]);
  const words = new RegExp(source, 'gu');
  const marker = new RegExp(`(${markers.map(text => text.replaceAll('|', '\\|')).join('|')})`);
  return text =>
    text.split(marker).flatMap((piece, index) => (index % 2 ? [piece] : (piece.match(words) ?? [])));
}
