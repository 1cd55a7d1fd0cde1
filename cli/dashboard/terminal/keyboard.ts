// Sends input where it belongs, in order: keys and clicks to the dashboard, text to the active field. Pasted text is never a
// command.
import { type Clock, realClock, type Timer } from '../../../lib/clock/index.js';
import type { Input, Pointed } from './read-keys.js';
import { readKeys, readRest } from './read-keys.js';

interface KeyboardTargets {
  press(key: string): void;
  point?(pointed: Pointed): void;
  readonly isTyping: boolean;
  /** Types into the field, as a terminal would send it. */
  type(bytes: string): void;
}

interface Keyboard {
  feed(text: string): void;
  /** Resolves when all input so far has been passed on. */
  settled(): Promise<void>;
}

/** Keys that edit the text itself. */
const EDITING: Readonly<Record<string, string>> = {
  backspace: '\u007f',
  left: '\u001b[D',
  right: '\u001b[C',
};
const ESCAPE_MS = 30;

const graphemes = new Intl.Segmenter('en');

export function createKeyboard(targets: KeyboardTargets, clock: Clock = realClock): Keyboard {
  let rest = '';
  let timer: Timer | undefined;
  let queue: Promise<void> = Promise.resolve();

  function handle(inputs: readonly Input[]): void {
    for (const input of inputs) queue = queue.then(() => hand(input));
  }

  async function hand(input: Input): Promise<void> {
    if (input.kind === 'key') {
      const editing = EDITING[input.name];
      await (targets.isTyping && editing ? type(editing) : press(input.name));
    } else if (input.kind === 'mouse') {
      await act(() => targets.point?.(input));
    } else if (targets.isTyping) await type(toOneLine(input.text));
    else if (input.kind === 'text') await spell(input.text);
  }

  /** Each character is a key until one of them opens a field; the rest is typed into that field. */
  async function spell(text: string): Promise<void> {
    let rest = text;
    for (const { segment } of graphemes.segment(text)) {
      if (targets.isTyping) return type(rest);
      rest = rest.slice(segment.length);
      await press(segment);
    }
  }

  const press = (key: string) => act(() => targets.press(key));

  async function act(action: () => void): Promise<void> {
    const wasTyping = targets.isTyping;
    action();
    if (targets.isTyping || wasTyping) await drawn();
  }

  async function type(bytes: string): Promise<void> {
    targets.type(bytes);
    await drawn();
  }

  return {
    feed(text) {
      timer?.stop();
      const read = readKeys(rest + text);
      rest = read.rest;
      handle(read.inputs);
      if (rest !== '') {
        timer = clock.after(ESCAPE_MS, () => {
          handle(readRest(rest));
          rest = '';
        });
      }
    },
    async settled() {
      while (rest !== '') await clock.sleep(ESCAPE_MS);
      await queue;
    },
  };
}

/** A field can take the next key only after it has been drawn with the last one. */
async function drawn(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve));
}

/** Without the line break at its end, but with a space there: more may follow. */
function toOneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*$/, '').replace(/\s*[\r\n]+\s*/g, ' ');
}
