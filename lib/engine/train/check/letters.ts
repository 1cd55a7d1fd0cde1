// Which scripts a text is written in, and letters that look wrong: a Cyrillic letter inside a Latin word, or characters
// that were decoded with the wrong encoding.

const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Armenian',
  'Georgian',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Telugu',
  'Thai',
  'Hangul',
  'Hiragana',
  'Katakana',
  'Han',
] as const;

const patterns = SCRIPTS.map(script => new RegExp(`\\p{Script=${script}}{2}`, 'u'));
const LATIN = 1;
const asciiOnly = /^[\0-\x7f]*$/;

/** The scripts as bits; a single letter of one, as in a formula, does not count. */
export function scriptsOf(text: string): number {
  if (asciiOnly.test(text)) return /[a-z]{2}/i.test(text) ? LATIN : 0;
  let found = 0;
  for (const [index, pattern] of patterns.entries()) if (pattern.test(text)) found |= 1 << index;
  return found;
}

export const SCRIPT_COUNT = SCRIPTS.length;

/** Greek letters are common next to Latin ones in formulas, so only those that look like Latin ones count. */
const GREEK_TWINS = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο';
const other = `[\\p{Script=Cyrillic}${GREEK_TWINS}]`;
const mixedLetters = new RegExp(`\\p{Script=Latin}${other}|${other}\\p{Script=Latin}`, 'u');

/** Whether a word has Latin letters next to Cyrillic or Greek ones. */
export function hasMixedLetters(text: string): boolean {
  return mixedLetters.test(text);
}

/** The replacement character, and UTF-8 that was read as Latin-1 or Windows-1252. */
const broken = /\uFFFD|[ÂÃ][\u0080-\u00bf]|â€[\u0080-\u009f™œ“”˜¢¦]/;

export function hasBrokenCharacters(text: string): boolean {
  return broken.test(text);
}

/** In UTF-16 units; paragraphs of prose are shorter. */
const LONG_LINE = 4000;

export function hasLongLine(text: string): boolean {
  for (let from = 0; text.length - from > LONG_LINE; ) {
    const end = text.indexOf('\n', from);
    if (end === -1 || end - from > LONG_LINE) return true;
    from = end + 1;
  }
  return false;
}
