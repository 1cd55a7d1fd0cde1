// The lengths of the rows as bars, one line each, with the limit of the context.
import { barCells, formatCount, lengthBars } from '../../../../lib/console/index.js';
import type { DataReport } from '../../../../lib/contract/index.js';
import { cutLine, type Line, line, quiet, span } from '../../drawing/line.js';

/** In colors, and in marks for terminals without: rows over the limit have lighter bars. */
const BAR = { within: '█', over: '▒' };
const WIDEST_BAR = 48;

export function lengthLines(report: DataReport, width: number, height: number): Line[] {
  const title = [[], line(' Tokens per row', { bold: true })];
  const bars = lengthBars(report, Math.max(1, height - title.length));
  if (bars.length === 0) return [...title, line(' No lengths', quiet)];
  const column = Math.max(...bars.map(({ label }) => label.length));
  const counts = bars.map(({ rows }) => formatCount(rows));
  const taken = column + Math.max(...counts.map(({ length }) => length)) + ' ←limit'.length + 4;
  const room = Math.max(2, Math.min(WIDEST_BAR, width - taken));
  return [
    ...title,
    ...bars.map((bar, index) =>
      cutLine(
        [
          span(` ${bar.label.padStart(column)}  `, quiet),
          span((bar.isOver ? BAR.over : BAR.within).repeat(barCells(bar, room)), {
            tone: bar.isOver ? 'warning' : 'training',
          }),
          span(` ${counts[index]}`),
          ...(bar.hasLimit ? [span(' ← limit', quiet)] : []),
        ],
        width,
      ),
    ),
  ];
}
