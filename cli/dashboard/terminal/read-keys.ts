// Parses a terminal's input into keys, clicks, text and pasted text. Ignores the terminal's own replies and unnamed keys.

export type Input =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | ({ readonly kind: 'mouse' } & Pointed);

/** What the mouse did, and at which cell, from 0. */
export interface Pointed {
  readonly action: 'click' | 'wheelUp' | 'wheelDown';
  readonly row: number;
  readonly column: number;
}

interface ReadKeys {
  readonly inputs: readonly Input[];
  /** The start of an unfinished sequence; a lone escape may still become one. */
  readonly rest: string;
}

const ESCAPE = '\u001b';
const PASTE_START = `${ESCAPE}[200~`;
const PASTE_END = `${ESCAPE}[201~`;

const LETTERS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
};
const NUMBERS: Readonly<Record<string, string>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};
const CONTROLS: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
  [ESCAPE]: 'escape',
};
const HELD: Readonly<Record<string, string>> = { 2: 'shift-', 5: 'ctrl-', 6: 'ctrl-' };

const TOKEN = new RegExp(
  [
    `${ESCAPE}\\[([0-9;]*)([A-Za-z~])`,
    `${ESCAPE}O([A-Za-z])`,
    `${ESCAPE}\\[<(\\d+);(\\d+);(\\d+)M`,
    // The terminal's replies, other keys, and buttons that are let go.
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]P_^][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)`,
    '[\\u0000-\\u001f\\u007f]',
    '[^\\u0000-\\u001f\\u007f]+',
  ].join('|'),
  'g',
);
const UNFINISHED = new RegExp(`${ESCAPE}(?:\\[[0-?]*[ -/]*|O|[\\]P_^][^\\u0007${ESCAPE}]*)?$`);

export function readKeys(text: string): ReadKeys {
  const inputs: Input[] = [];
  let at = 0;
  while (at < text.length) {
    if (text.startsWith(PASTE_START, at)) {
      const end = text.indexOf(PASTE_END, at);
      if (end < 0) return { inputs, rest: text.slice(at) };
      inputs.push({ kind: 'paste', text: text.slice(at + PASTE_START.length, end) });
      at = end + PASTE_END.length;
      continue;
    }
    if (UNFINISHED.exec(text.slice(at))?.index === 0) return { inputs, rest: text.slice(at) };
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text)!;
    const input = toInput(match);
    if (input) inputs.push(input);
    at = TOKEN.lastIndex;
  }
  return { inputs, rest: '' };
}

/** What an unfinished sequence means if nothing follows: the Escape key, if it is alone. */
export function readRest(rest: string): readonly Input[] {
  return rest === ESCAPE ? [{ kind: 'key', name: 'escape' }] : [];
}

/** Of the left button and the wheel, whatever keys are held. */
const BUTTONS: Readonly<Record<number, Pointed['action']>> = { 0: 'click', 64: 'wheelUp', 65: 'wheelDown' };
const HELD_KEYS = 4 | 8 | 16;

function toInput([token, params, final, shifted, ...mouse]: RegExpExecArray): Input | null {
  if (mouse[0] !== undefined) return toMouse(mouse.map(Number));
  const name = final !== undefined ? csiName(params ?? '', final) : keyName(token, shifted);
  if (name !== undefined) return name === '' ? null : { kind: 'key', name };
  return { kind: 'text', text: token };
}

function toMouse([button = 0, column = 1, row = 1]: readonly number[]): Input | null {
  const action = BUTTONS[button & ~HELD_KEYS];
  return action === undefined ? null : { kind: 'mouse', action, row: row - 1, column: column - 1 };
}

/** Empty for a key that the dashboard does not use, undefined for plain text. */
function keyName(token: string, shifted: string | undefined): string | undefined {
  if (shifted !== undefined) return LETTERS[shifted] ?? (shifted === 'M' ? 'enter' : '');
  if (token.length === 1 && CONTROLS[token] !== undefined) return CONTROLS[token];
  if (token.startsWith(ESCAPE)) return '';
  const code = token.charCodeAt(0);
  if (code >= 0x20 && code !== 0x7f) return undefined;
  return code >= 1 && code <= 26 ? `ctrl-${String.fromCharCode(code + 96)}` : '';
}

function csiName(params: string, final: string): string {
  const [number = '', modifier = ''] = params.split(';');
  if (final === 'Z') return 'shift-tab';
  const name = final === '~' ? NUMBERS[number] : LETTERS[final];
  return name === undefined ? '' : (HELD[modifier] ?? '') + name;
}
