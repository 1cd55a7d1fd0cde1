// Text in several styles, wrapped into lines at any character.
import { displayWidth, takeWidth } from '../../../lib/console/index.js';
import { type Line, type Span, type Style, span } from './line.js';

interface StyledText {
  readonly text: string;
  readonly style?: Style;
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
