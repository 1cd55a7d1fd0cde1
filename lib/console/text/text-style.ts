// The style of terminal text, as set by escape sequences (SGR). Colors are reduced to hues, so that both
// faces can pick shades that are legible on their background.

export interface TextStyle {
  readonly marks: readonly TextMark[];
  /** Null for the default color. */
  readonly color: TextColor | null;
  readonly background: TextColor | null;
}

type TextMark = 'bold' | 'dim' | 'italic' | 'underline' | 'inverse' | 'strike';
export type TextColor = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'gray';

export const plainStyle: TextStyle = { marks: [], color: null, background: null };

const STARTS: Readonly<Record<number, TextMark>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strike',
};
const ENDS: Readonly<Record<number, readonly TextMark[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
};

/** Black and white map to the default color. */
const COLORS: readonly (TextColor | null)[] = [
  null,
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  null,
];
const BRIGHT: readonly (TextColor | null)[] = ['gray', ...COLORS.slice(1)];

/** Ignored. */
const UNDERLINE_COLOR = 58;

/** `parameters`: such as `1;31`; empty to reset. */
export function restyle(style: TextStyle, parameters: string): TextStyle {
  let now = style;
  const numbers = parameters.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!;
    if (number === 38 || number === 48 || number === UNDERLINE_COLOR) {
      const { color, used } = readColor(numbers.slice(at + 1, at + 5));
      if (number === 38) now = { ...now, color };
      if (number === 48) now = { ...now, background: color };
      at += used;
    } else now = applyParameter(now, number);
  }
  return now;
}

function applyParameter(style: TextStyle, number: number): TextStyle {
  const { marks } = style;
  const start = STARTS[number];
  if (number === 0) return plainStyle;
  if (start) return marks.includes(start) ? style : { ...style, marks: [...marks, start] };
  if (ENDS[number]) return { ...style, marks: marks.filter(mark => !ENDS[number]!.includes(mark)) };
  if (number === 39) return { ...style, color: null };
  if (number === 49) return { ...style, background: null };
  const [decade, digit] = [Math.floor(number / 10), number % 10];
  if (digit > 7) return style;
  if (decade === 3 || decade === 9) return { ...style, color: (decade === 3 ? COLORS : BRIGHT)[digit]! };
  if (decade === 4 || decade === 10)
    return { ...style, background: (decade === 4 ? COLORS : BRIGHT)[digit]! };
  return style;
}

/** Reads `5;n` (palette) or `2;r;g;b`; returns the color and the number of parameters used. */
function readColor([kind, ...parts]: readonly number[]): { color: TextColor | null; used: number } {
  if (kind === 5) return { color: paletteColor(parts[0] ?? 0), used: 2 };
  return kind === 2 ? { color: hueOf(parts), used: 4 } : { color: null, used: 0 };
}

const CUBE = 16;
/** The levels of red, green and blue in the palette's color cube. */
const LEVELS: readonly number[] = [0, 95, 135, 175, 215, 255];
const GRAYS = 232;

function paletteColor(index: number): TextColor | null {
  if (index < CUBE) return [...COLORS, ...BRIGHT][index] ?? null;
  if (index >= GRAYS) return null;
  const place = index - CUBE;
  return hueOf([place / 36, (place / 6) % 6, place % 6].map(level => LEVELS[Math.floor(level)]!));
}

const LEAST_CHROMA = 40;
/** The upper end of each hue on the color wheel. */
const HUES: readonly (readonly [angle: number, color: TextColor])[] = [
  [25, 'red'],
  [75, 'yellow'],
  [165, 'green'],
  [200, 'cyan'],
  [260, 'blue'],
  [335, 'magenta'],
  [360, 'red'],
];

/** Null for a gray. */
function hueOf([red = 0, green = 0, blue = 0]: readonly number[]): TextColor | null {
  const highest = Math.max(red, green, blue);
  const chroma = highest - Math.min(red, green, blue);
  if (!(chroma >= LEAST_CHROMA)) return null;
  const sixths =
    highest === red
      ? ((green - blue) / chroma + 6) % 6
      : highest === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4;
  return HUES.find(([angle]) => sixths * 60 <= angle)?.[1] ?? null;
}

/** Words for the style, such as `bold red`; empty for plain text. A background is shown as inverse text. */
export function styleWords({ marks, color, background }: TextStyle): string {
  const shown = background && !marks.includes('inverse') ? ([...marks, 'inverse'] as const) : marks;
  return [...shown, background ?? color].filter(Boolean).join(' ');
}
