// Strips anything that could control a terminal from untrusted text: escape sequences, control characters,
// and invisible or direction-changing marks.

const ESCAPE = '\\u001b';
const SEQUENCE = new RegExp(
  [
    `(?:${ESCAPE}\\[|\\u009b)[0-?]*[ -/]*[@-~]`,
    `(?:${ESCAPE}[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007${ESCAPE}\\u009c]*(?:\\u0007|${ESCAPE}\\\\|\\u009c)`,
    `${ESCAPE}[ -/]*[0-Z\\\\^-~]`,
  ].join('|'),
  'g',
);
const STEERING =
  /(?![\t\n])\p{Cc}|[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;
const HARMLESS = /^[ -~]*$/;

/** Untrusted text, made safe. Keeps line breaks; replaces a tab with two spaces, or with `tab`. */
export function toSafeText(text: string, tab = '  '): string {
  if (HARMLESS.test(text)) return text;
  return text
    .replace(SEQUENCE, '')
    .replace(/\t/g, tab)
    .replace(STEERING, '')
    .replace(/\p{Cs}/gu, '\ufffd');
}

/** Equivalent JSON that cannot control a terminal. */
export function toSafeJson(json: string): string {
  return json.replace(STEERING, character =>
    Array.from({ length: character.length }, (_, i) => {
      const unit = character.charCodeAt(i).toString(16);
      return `\\u${unit.padStart(4, '0')}`;
    }).join(''),
  );
}

/** Untrusted text, made safe, on one line. */
export function toSafeLine(text: string): string {
  return HARMLESS.test(text) ? text : toSafeText(text.replace(/[\t\r\n\p{Zl}\p{Zp}]+/gu, ' '));
}
