// Tokens wrapped into lines: what is learned is inverse, what is read is dim, what is cut off is struck, and the model's
// markers are bold.
import { displayWidth, takeWidth, tokenRuns } from '../../../../lib/console/index.js';
import type { PreviewToken } from '../../../../lib/contract/index.js';
import { type Line, type Span, type Style, span } from '../../drawing/line.js';

const STYLES = {
  learned: { inverse: true },
  read: { dim: true },
  cut: { dim: true, strike: true },
} as const satisfies Record<PreviewToken['kind'], Style>;

export function tokenLines(tokens: readonly PreviewToken[], width: number): Line[] {
  const lines: Span[][] = [[]];
  let room = width;
  const breakLine = () => {
    lines.push([]);
    room = width;
  };
  for (const { text, kind, special } of tokenRuns(tokens)) {
    const style = { ...STYLES[kind], ...(special && { bold: true, dim: false }) };
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
