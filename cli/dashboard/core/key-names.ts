// Key names as shown on the screen.
import type { Glyphs } from '../terminal/glyphs.js';

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

/** Several keys in one hint: single characters are joined directly, words with a slash. */
export function keysLabel(keys: readonly string[], glyphs: Pick<Glyphs, 'arrows'>): string {
  const labels = keys.map(key => keyLabel(key, glyphs));
  return labels.join(labels.every(label => label.length === 1) ? '' : '/');
}

function upper(label: string): string {
  return label.length === 1 ? label.toUpperCase() : label;
}
