// Keys and clicks as a terminal sends them.

const KEYS: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  backspace: '\u007f',
  up: '\u001b[A',
  down: '\u001b[B',
  left: '\u001b[D',
  right: '\u001b[C',
  'ctrl-c': '\u0003',
  'ctrl-s': '\u0013',
};

/** Press and release of the left button on the first place of a text; none of its letters before it is wide. */
export function clickOn(text: string, lines: readonly string[]): string {
  const row = lines.findIndex(line => line.includes(text));
  if (row < 0) throw new Error(`Nothing to click says ${text}:\n${lines.join('\n')}`);
  const place = `${lines[row]!.indexOf(text) + 1};${row + 1}`;
  return `\u001b[<0;${place}M\u001b[<0;${place}m`;
}

export const WHEEL_UP = '\u001b[<64;5;10M';
export const WHEEL_DOWN = '\u001b[<65;5;10M';

/** A key by its name; anything else is text. */
export function toBytes(key: string): string {
  return KEYS[key] ?? key;
}
