/** The source of a regular expression that matches one of the words, the longest that fits. */
export function anyOf(words: readonly string[]): string {
  const escaped = words.map(word => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return `(?:${escaped.sort((a, b) => b.length - a.length).join('|') || '(?!)'})`;
}
