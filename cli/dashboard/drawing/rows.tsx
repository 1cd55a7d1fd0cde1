// Lines of a known width for Ink. Ink measures every text and caches it forever, so it gets blanks to measure and the painted
// line only when drawing.
import { Transform } from 'ink';
import type { Look } from '../terminal/look.js';
import type { Line } from './line.js';
import { paintLine } from './paint.js';

interface RowsProps {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly look: Look;
}

export function Rows({ lines, width, look }: RowsProps) {
  const blanks = Array.from({ length: lines.length }, () => ' '.repeat(width)).join('\n');
  const painted = lines.map(spans => paintLine(spans, width, look));
  return <Transform transform={(_blank, index) => painted[index] ?? ''}>{blanks}</Transform>;
}
