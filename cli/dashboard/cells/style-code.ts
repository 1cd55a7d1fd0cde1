// A cell's style as one number, and the sequences that change a terminal from one style to another.

/** The bits of attributes; the bits above are the number of the foreground color, or 0 for the terminal's own. */
export const BOLD = 1;
export const DIM = 2;
export const INVERSE = 4;
export const STRIKE = 8;
const COLOR_SHIFT = 4;
const ATTRIBUTES = 0b1111;

/** In the order in which they are written. */
const STARTS: readonly (readonly [bit: number, parameter: number])[] = [
  [BOLD, 1],
  [DIM, 2],
  [INVERSE, 7],
  [STRIKE, 9],
];
const OWN_COLOR = 39;

/** `color`: the parameter that selects it, such as 31 for red. */
export function styleCode(attributes: number, color = 0): number {
  return (color << COLOR_SHIFT) | attributes;
}

/** The parameters that turn the terminal's usual style into this one. */
export function styleParameters(code: number): number[] {
  const color = code >> COLOR_SHIFT;
  const attributes = STARTS.filter(([bit]) => code & bit).map(([, parameter]) => parameter);
  return color === 0 ? attributes : [...attributes, color];
}

const known = new Map<number, string>();

/** The shortest sequence from one style to another. */
export function styleChange(from: number, to: number): string {
  if (from === to) return '';
  const key = (from << 16) | to;
  const found = known.get(key) ?? findChange(from, to);
  known.set(key, found);
  return found;
}

function findChange(from: number, to: number): string {
  if (to === 0) return '\u001b[m';
  if (from & ~to & ATTRIBUTES) return toSequence([0, ...styleParameters(to)]);
  const color = to >> COLOR_SHIFT;
  const isRecolored = color !== from >> COLOR_SHIFT;
  return toSequence([
    ...styleParameters(to & ATTRIBUTES & ~from),
    ...(isRecolored ? [color === 0 ? OWN_COLOR : color] : []),
  ]);
}

function toSequence(parameters: readonly number[]): string {
  return `\u001b[${parameters.join(';')}m`;
}
