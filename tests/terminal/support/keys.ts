// Keys as a terminal sends them.

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

/** A key by its name; anything else is text. */
export function toBytes(key: string): string {
  return KEYS[key] ?? key;
}
