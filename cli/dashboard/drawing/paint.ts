// A line as terminal output: with the codes of its styles, in characters that the terminal can show.
import { displayWidth } from '../../../lib/console/index.js';
import { toAscii } from '../terminal/glyphs.js';
import type { Look } from '../terminal/look.js';
import { cutLine, type Line, type Span, type Style, type Tone } from './line.js';

const COLOURS: Readonly<Record<Tone, number>> = {
  queued: 90,
  running: 94,
  completed: 32,
  failed: 31,
  cancelled: 33,
  training: 36,
  evaluation: 35,
  accent: 94,
  run1: 94,
  run2: 33,
  run3: 32,
  run4: 35,
  run5: 36,
  run6: 31,
  warning: 33,
};

/** Never wider than `width`. */
export function paintLine(spans: Line, width: number, look: Look): string {
  return cutLine(spans, width)
    .map(part => paintSpan(part, look))
    .join('');
}

function paintSpan({ text, ...style }: Span, look: Look): string {
  const shown = look.isUnicode ? text : toAscii(text, displayWidth);
  const codes = codesOf(style, look);
  if (shown === '' || codes.length === 0) return shown;
  const open = codes.map(([code]) => `\u001b[${code}m`).join('');
  const close = codes.map(([, code]) => `\u001b[${code}m`).join('');
  return open + shown + close;
}

function codesOf(
  { tone, bold, dim, inverse, strike }: Style,
  { isColored }: Look,
): (readonly [number, number])[] {
  const codes: (readonly [number, number])[] = [];
  if (bold) codes.push([1, 22]);
  if (dim) codes.push([2, 22]);
  if (inverse) codes.push([7, 27]);
  if (strike) codes.push([9, 29]);
  if (tone && isColored) codes.push([COLOURS[tone], 39]);
  return codes;
}
