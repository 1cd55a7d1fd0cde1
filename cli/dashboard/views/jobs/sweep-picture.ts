// A sweep as parallel axes: a line for each run, from setting to setting and to its result. The best run stands out, and the
// one that is selected in the table below.
import { displayWidth, type Sweep, type SweepCells, sweepCells } from '../../../../lib/console/index.js';
import type { Size } from '../../drawing/canvas.js';
import { type Cells, emptyCells, layLine, toSpans } from '../../drawing/cell-layers.js';
import {
  cutLine,
  fitHeight,
  fitLine,
  type Line,
  lineWidth,
  quiet,
  type Style,
  span,
} from '../../drawing/line.js';
import type { Glyphs } from '../../terminal/glyphs.js';

const OTHERS: Style = { tone: 'training', dim: true };
const BEST: Style = { tone: 'evaluation', bold: true };
const SELECTED: Style = { bold: true };

/** Exactly as tall as given: the titles of the axes, and the lines. */
export function sweepPicture(sweep: Sweep, selected: string | null, size: Size, glyphs: Glyphs): Line[] {
  const { width, height } = size;
  const picture = sweepCells(sweep, { width, height: height - 1, isFine: glyphs.hasBraille });
  if (!picture) return fitHeight([], height);
  const cells = emptyCells(picture);
  for (const { line, style } of styled(picture, selected))
    layLine(cells, line, picture, { style, addsDots: true }, glyphs);
  layAxes(cells, picture, glyphs);
  return [titleLine(picture, width), ...cells.map(toSpans)];
}

/** The best run over the others, and the selected one over all. */
function styled({ lines }: SweepCells, selected: string | null) {
  const drawn = lines.map(({ job, isWinner, line }) => ({
    line,
    isSelected: job.id === selected,
    style: isWinner ? BEST : job.id === selected ? SELECTED : OTHERS,
  }));
  return drawn.sort((a, b) => Number(a.isSelected) - Number(b.isSelected));
}

function layAxes(cells: Cells, { axes, rows, columns }: SweepCells, { vertical, solid }: Glyphs): void {
  for (const { column, ticks } of axes) {
    for (const row of cells) row[column] = { sign: vertical, dim: true };
    for (const { row, label } of ticks) {
      const line = cells[rows - 1 - row]!;
      line[column] = { sign: solid[TO_THE_RIGHT]!, dim: true };
      [...` ${label} `].forEach((sign, index) => {
        if (column + 1 + index < columns) line[column + 1 + index] = { sign };
      });
    }
  }
}

/** The arms of a tick: right, up and down. */
const TO_THE_RIGHT = 2 + 4 + 8;

/** Each title above its axis: the first to its right, the last to its left, the others in the middle. */
function titleLine({ axes }: SweepCells, width: number): Line {
  const room = Math.floor(width / axes.length) - 1;
  let drawn: Line = [];
  axes.forEach(({ title, column }, index) => {
    const [text] = cutLine([span(title, quiet)], room);
    const own = displayWidth(text!.text);
    const middle = index === 0 ? 0 : column - Math.floor(own / 2);
    const start = Math.min(middle, width - own);
    drawn = [...fitLine(drawn, Math.max(lineWidth(drawn), start)), text!];
  });
  return drawn;
}
