// A program's output as rows of a given width.
import { type RowPlace, type RowSource, type TerminalText, wrapToWidth } from '../../../lib/console/index.js';
import { type Line, line } from './line.js';

export function outputSource({ lines, dropped }: TerminalText, width: number): RowSource {
  // A final line feed starts a line that is still empty.
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  return {
    first: dropped,
    end: dropped + count,
    rowsOf: item => wrapToWidth(lines[item - dropped] ?? '', width).length,
  };
}

export function outputLines(
  { lines, dropped }: TerminalText,
  places: readonly RowPlace[],
  width: number,
): Line[] {
  return places.map(({ item, row }) => line(wrapToWidth(lines[item - dropped] ?? '', width)[row] ?? ''));
}
