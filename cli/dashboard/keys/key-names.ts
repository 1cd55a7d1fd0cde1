// Key names as shown on the screen.

import type { Key } from 'ink';
import type { Glyphs } from '../../../lib/console/index.js';

const NAMES: Readonly<Record<string, string>> = {
  enter: 'Enter',
  escape: 'Esc',
  tab: 'Tab',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  home: 'Home',
  end: 'End',
  backspace: 'Backspace',
  ' ': 'Space',
};

/** `j`, `Enter`, `Ctrl-U`, `↑`. */
export function keyLabel(key: string, { arrows }: Pick<Glyphs, 'arrows'>): string {
  const held = /^(ctrl|shift)-(.+)$/.exec(key);
  if (held) return `${held[1] === 'ctrl' ? 'Ctrl' : 'Shift'}-${upper(keyLabel(held[2]!, { arrows }))}`;
  return NAMES[key] ?? (arrows as Readonly<Record<string, string>>)[key] ?? key;
}

/** Several keys in one hint: single characters are joined directly, longer names with a slash. */
export function keysLabel(keys: readonly string[], glyphs: Pick<Glyphs, 'arrows'>): string {
  const labels = keys.map(key => keyLabel(key, glyphs));
  return labels.join(labels.every(label => label.length === 1) ? '' : '/');
}

function upper(label: string): string {
  return label.length === 1 ? label.toUpperCase() : label;
}

/** The binding name for a key event from Ink; for text, the text itself. */
export function keyName(input: string, key: Key): string {
  const special = SPECIAL.find(([flag]) => key[flag]);
  if (special) return (key.shift && SHIFTED.has(special[1]) ? 'shift-' : '') + special[1];
  if (input === '\n') return 'enter';
  if (key.meta) return `alt-${input}`;
  return key.ctrl ? `ctrl-${input}` : input;
}

const SPECIAL = [
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
] as const satisfies readonly (readonly [keyof Key, string])[];

const SHIFTED = new Set<string>(['tab', 'left', 'right']);
