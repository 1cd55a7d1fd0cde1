// How a text looks in a picture with escape codes.

const ESCAPE = '\u001b';
const SIGN = new RegExp(`${ESCAPE}\\[([\\d;]*)m|[^${ESCAPE}]`, 'gu');
const SWITCHES: readonly (readonly [on: number, off: number, name: string])[] = [
  [1, 22, 'bold'],
  [2, 22, 'dim'],
  [7, 27, 'inverse'],
  [9, 29, 'strike'],
];
const COLORS: Readonly<Record<number, string>> = {
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  90: 'gray',
  94: 'blueBright',
};

/** Of the first place of the text in the picture: `bold inverse cyan`, or nothing for the terminal's own style. */
export function styleAt(picture: string, text: string): string {
  const styles: string[] = [];
  const on = new Set<string>();
  let color = '';
  let seen = '';
  for (const [sign, codes] of picture.matchAll(SIGN)) {
    if (codes === undefined) {
      seen += sign;
      const words = SWITCHES.map(([, , name]) => name).filter(name => on.has(name));
      // One for each unit of the text, as positions in it are counted.
      for (const _unit of sign.split('')) styles.push([...words, color].filter(Boolean).join(' '));
      continue;
    }
    for (const code of codes.split(';').map(Number)) {
      if (code === 0) on.clear();
      if (code === 0 || code === 39) color = '';
      color = COLORS[code] ?? color;
      for (const [start, end, name] of SWITCHES) {
        if (code === start) on.add(name);
        if (code === end) on.delete(name);
      }
    }
  }
  const at = seen.indexOf(text);
  if (at < 0) throw new Error(`${text} is not in\n${seen}`);
  return styles[at]!;
}
