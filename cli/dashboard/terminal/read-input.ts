// Splits terminal input, in chunks of any size, into keys, text, pasted text and mouse events. Drops the
// terminal's own replies and unbound keys, which Ink would treat as text.
import { toSafeLine } from '../../../lib/console/index.js';

/** A mouse event and its cell, from 0. */
export interface Pointed {
  readonly action: 'click' | 'wheelUp' | 'wheelDown';
  readonly row: number;
  readonly column: number;
}

export type Input =
  /** A key, as the terminal sends it. */
  | { readonly key: string }
  | { readonly text: string }
  | { readonly pasted: string }
  | { readonly pointed: Pointed };

const ESCAPE = '\u001b';
const PASTE = { start: `${ESCAPE}[200~`, end: `${ESCAPE}[201~` };
const SEQUENCE = `${ESCAPE}(?:\\[\\[?[0-?]*[ -/]*[@-~]|O[@-~])`;
const CONTROL = '\\u0000-\\u001f\\u007f';
const TEXT = new RegExp(`^[^${CONTROL}]`);
/** Arrows, Page Up/Down and the like, with or without Shift, Ctrl and Alt. */
const NAMED = '(?:\\[(?:1;\\d)?[ABCDFHZ]|\\[[1345678](?:;\\d)?~|O[ABCDFH])';
/** Alt is an escape before the key, sent at once with it. */
const WITH_ALT = `${ESCAPE}(?:${ESCAPE}${NAMED}|[^${ESCAPE}])`;
const TOKEN = new RegExp(`${SEQUENCE}|${WITH_ALT}|[${CONTROL}]|[^${CONTROL}]+`, 'uy');
const UNFINISHED = new RegExp(`${ESCAPE}(?:\\[\\[?[0-?]*[ -/]*|O)?$`, 'y');
/** With Alt, only what edits text. */
const KEY = new RegExp(`^${ESCAPE}(?:${ESCAPE}?${NAMED}|[bdf\b])$`);
/** To Ink, the byte that terminals send for Backspace is the key Delete. */
const BACKSPACE = { sent: '\u007f', taken: '\b' };
const MOUSE = new RegExp(`^${ESCAPE}\\[<(\\d+);(\\d+);(\\d+)M$`);
/** Mouse button codes for the left button and the wheel, ignoring modifier keys. */
const BUTTONS: Readonly<Record<number, Pointed['action']>> = { 0: 'click', 64: 'wheelUp', 65: 'wheelDown' };
const HELD_KEYS = 4 | 8 | 16;

export function createInputReader() {
  let rest = '';
  let isPasting = false;

  function read(piece: string): Input[] {
    const before = rest;
    rest = '';
    if (isPasting) return readPaste(before + piece);
    // What follows an escape later is only the rest of a sequence, never a key with Alt.
    if (before === ESCAPE && !/^[[O]/.test(piece)) return [{ key: ESCAPE }, ...readKeys(piece)];
    return readKeys(before + piece);
  }

  function readPaste(text: string): Input[] {
    const end = text.indexOf(PASTE.end);
    if (end < 0) {
      rest = text;
      return [];
    }
    isPasting = false;
    const pasted = toOneLine(text.slice(0, end));
    return [...(pasted === '' ? [] : [{ pasted }]), ...readKeys(text.slice(end + PASTE.end.length))];
  }

  function readKeys(text: string): Input[] {
    const inputs: Input[] = [];
    for (let at = 0; at < text.length; ) {
      UNFINISHED.lastIndex = at;
      TOKEN.lastIndex = at;
      if (UNFINISHED.test(text)) {
        rest = text.slice(at);
        break;
      }
      const [token] = TOKEN.exec(text)!;
      at += token.length;
      if (token === PASTE.start) {
        isPasting = true;
        return [...inputs, ...readPaste(text.slice(at))];
      }
      inputs.push(...toInputs(token));
    }
    return inputs;
  }

  return {
    read,
    /** Whether the buffer holds the start of a sequence; a lone escape may also be the key itself. */
    get isUnfinished(): boolean {
      return rest !== '' && !isPasting;
    },
    /** The buffered input, read as if nothing follows. */
    readRest(): Input[] {
      const isEscape = rest === ESCAPE;
      rest = '';
      return isEscape ? [{ key: ESCAPE }] : [];
    },
  };
}

function toInputs(token: string): Input[] {
  if (TEXT.test(token)) return [{ text: token }];
  const key = token.replace(BACKSPACE.sent, BACKSPACE.taken);
  if (key.length === 1 || KEY.test(key)) return [{ key }];
  const [, button, column, row] = MOUSE.exec(token)?.map(Number) ?? [];
  const action = BUTTONS[button! & ~HELD_KEYS];
  return button === undefined || action === undefined
    ? []
    : [{ pointed: { action, row: row! - 1, column: column! - 1 } }];
}

/** Removes a trailing line break and replaces the others with spaces. */
function toOneLine(text: string): string {
  return toSafeLine(text.replace(/\s*[\r\n]+\s*$/, '').replace(/\s*[\r\n]+\s*/g, ' '));
}
