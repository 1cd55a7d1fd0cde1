// Text in several styles, wrapped into lines: at any character, or between words.
import { displayWidth, takeWidth, wrapToWidth } from '../../../lib/console/index.js';
import { type Line, type Span, type Style, span } from './line.js';

interface StyledText {
  readonly text: string;
  readonly style?: Style | undefined;
}

export function wrapSpans(parts: Iterable<StyledText>, width: number): Line[] {
  const lines: Span[][] = [[]];
  let room = width;
  const breakLine = () => {
    lines.push([]);
    room = width;
  };
  for (const { text, style } of parts) {
    for (const [index, part] of text.replaceAll('\t', '    ').split('\n').entries()) {
      if (index > 0) breakLine();
      for (let rest = part; rest !== ''; ) {
        const taken = takeWidth(rest, room);
        if (taken === '' && room === width) break; // Nothing of it fits any line.
        lines.at(-1)!.push(span(taken, style));
        room -= displayWidth(taken);
        rest = rest.slice(taken.length);
        if (rest !== '') breakLine();
      }
    }
  }
  return lines;
}

/** Between words; only a word that is longer than a line is broken. */
export function wrapWords(parts: readonly StyledText[], width: number): Line[] {
  const tabless = parts.map(({ text, style }) => ({ text: text.replaceAll('\t', '    '), style }));
  const whole = tabless.map(({ text }) => text).join('');
  let at = 0;
  return whole
    .split('\n')
    .flatMap(row => wrapToWidth(row, width))
    .map(row => {
      const start = whole.indexOf(row, at);
      at = start + row.length;
      return sliceSpans(tabless, start, at);
    });
}

function sliceSpans(parts: readonly StyledText[], from: number, to: number): Line {
  let start = 0;
  return parts.flatMap(({ text, style }) => {
    const cut = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += text.length;
    return cut === '' ? [] : [span(cut, style)];
  });
}
