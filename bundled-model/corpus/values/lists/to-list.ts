/** The words of a text, or with a comma somewhere its comma-separated entries. */
export function toList(text: string): readonly string[] {
  return text
    .trim()
    .split(text.includes(',') ? /\s*,\s*/ : /\s+/)
    .filter(entry => entry !== '');
}
