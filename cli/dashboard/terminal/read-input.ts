// Tells keys, text, pasted text and the mouse apart in what a terminal sends, in pieces of any size. Leaves out the terminal's
// own replies and keys that nothing is bound to, which Ink would take for text.
import { toSafeLine } from '../../../lib/console/index.js';

/** What the mouse did, and at which cell, from 0. */
export interface Pointed {
  readonly action: 'click' | 'wheelUp' | 'wheelDown';
  readonly row: number;
  readonly column: number;
}

export type Input =
  /** As the terminal sends it. */
  | { readonly key: string }
  | { readonly text: string }
  | { readonly pasted: string }
  | { readonly pointed: Pointed };

const ESCAPE = '\u001b';
const PASTE = { start: `${ESCAPE}[200~`, end: `${ESCAPE}[201~` };
const SEQUENCE = `${ESCAPE}(?:\\[\\[?[0-?]*[ -/]*[@-~]|O[@-~])`;
const CONTROL = '\\u0000-\\u001f\\u007f';
const TEXT = new RegExp(`^[^${CONTROL}]`);
const TOKEN = new RegExp(`${SEQUENCE}|[${CONTROL}]|[^${CONTROL}]+`, 'y');
const UNFINISHED = new RegExp(`${ESCAPE}(?:\\[\\[?[0-?]*[ -/]*|O)?$`, 'y');
/** Arrows, pages and the like, with or without Shift and Ctrl. */
const KEY = new RegExp(`^${ESCAPE}(?:\\[(?:1;\\d)?[ABCDFHZ]|\\[[1345678](?:;\\d)?~|O[ABCDFH])$`);
const MOUSE = new RegExp(`^${ESCAPE}\\[<(\\d+);(\\d+);(\\d+)M$`);
/** Of the left button and the wheel, whatever keys are held. */
const BUTTONS: Readonly<Record<number, Pointed['action']>> = { 0: 'click', 64: 'wheelUp', 65: 'wheelDown' };
const HELD_KEYS = 4 | 8 | 16;

export function createInputReader() {
  let rest = '';
  let isPasting = false;

  function read(piece: string): Input[] {
    const text = rest + piece;
    rest = '';
    return isPasting ? readPaste(text) : readKeys(text);
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
    /** The start of a sequence, to which more may come; a lone escape may be the key. */
    get isUnfinished(): boolean {
      return rest !== '' && !isPasting;
    },
    /** What it is if nothing follows. */
    readRest(): Input[] {
      const isEscape = rest === ESCAPE;
      rest = '';
      return isEscape ? [{ key: ESCAPE }] : [];
    },
  };
}

function toInputs(token: string): Input[] {
  if (TEXT.test(token)) return [{ text: token }];
  if (token.length === 1 || KEY.test(token)) return [{ key: token }];
  const [, button, column, row] = MOUSE.exec(token)?.map(Number) ?? [];
  const action = BUTTONS[button! & ~HELD_KEYS];
  return button === undefined || action === undefined
    ? []
    : [{ pointed: { action, row: row! - 1, column: column! - 1 } }];
}

/** Without the line break at its end, but with a space there: more may follow. */
function toOneLine(text: string): string {
  return toSafeLine(text.replace(/\s*[\r\n]+\s*$/, '').replace(/\s*[\r\n]+\s*/g, ' '));
}
