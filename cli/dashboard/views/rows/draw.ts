// The list of a job's rows as lines: their losses, how they changed, and the whole excerpt of the selected row below.
import {
  noRowsText,
  plural,
  rowFigures,
  rowsNote,
  rowsTitle,
  shortId,
  sparkText,
} from '../../../../lib/console/index.js';
import type { RowLoss } from '../../../../lib/contract/index.js';
import type { Canvas, Drawn } from '../../drawing/canvas.js';
import {
  centered,
  fitHeight,
  fitLine,
  type Line,
  line,
  quiet,
  type Span,
  span,
  spread,
} from '../../drawing/line.js';
import { listRows } from '../../drawing/list-rows.js';
import { paragraph, problemRows, waitingLine } from '../../drawing/words.js';
import { chosenRow, type RowsState, rowsIn } from './state.js';

const FIGURE_WIDTH = 8;
const SPARK_WIDTH = 12;
/** Narrower, there is no room for the sparkline beside the text. */
const EASY_WIDTH = 72;
/** The excerpt of the selected row, with a blank line above. */
const DETAIL_HEIGHT = 5;
/** The title, a blank line and the column titles. */
const HEAD_HEIGHT = 3;

export function listHeight({ fetched }: RowsState, { width, height, glyphs }: Canvas): number {
  const problem = problemRows(fetched.problem, { width, glyphs }).length;
  return Math.max(1, height - HEAD_HEIGHT - problem - DETAIL_HEIGHT);
}

export function drawRows(state: RowsState, canvas: Canvas): Drawn {
  const { fetched, selection, jobId } = state;
  const { width, height, glyphs } = canvas;
  const title = [span(' '), span(rowsTitle(selection), { bold: true })];
  const head = [
    spread(title, line(`Job ${shortId(jobId)} `, quiet), width),
    ...problemRows(fetched.problem, { width, glyphs }),
    [],
  ];
  const rows = rowsIn(state);
  if (rows.length === 0) {
    const text = fetched.value
      ? [line(noRowsText(selection, fetched.value.recorded), { bold: true })]
      : waitingLine(fetched.isSlow);
    return { lines: [...head, ...centered(text, width, Math.max(0, height - head.length))] };
  }
  const room = listHeight(state, canvas);
  const chosen = chosenRow(state);
  const lines = listRows(rows, { chosen, top: state.top, width, inSight: room }, row => [
    rowLine(row, state, canvas),
  ]);
  return {
    lines: [
      ...head,
      titleLine(state, canvas),
      ...fitHeight(lines, room),
      ...fitHeight(detailLines(rows[chosen]!, width), DETAIL_HEIGHT),
    ],
  };
}

export function rowsStatus({ fetched }: RowsState): Line {
  return fetched.value && fetched.value.rows.length > 0 ? line(rowsNote(fetched.value), quiet) : [];
}

function titleLine({ selection }: RowsState, { width }: Canvas): Line {
  const figures = [...(selection.kind === 'step' ? ['In step'] : []), 'Last', 'First', 'Change'];
  return fitLine(
    [
      ...figures.map(title => span(title.padStart(FIGURE_WIDTH), quiet)),
      span(width >= EASY_WIDTH ? `  ${'Over time'.padEnd(SPARK_WIDTH)}  ` : '  ', quiet),
      span('Answer', quiet),
    ],
    width,
  );
}

function rowLine(row: RowLoss, { selection }: RowsState, { width, glyphs }: Canvas): Line {
  const { inStep, last, first, change, isRising, answer, place } = rowFigures(row);
  const figure = (text: string, style = {}): Span => span(text.padStart(FIGURE_WIDTH), style);
  const bars = glyphs.axis === '|' ? ASCII_BARS : undefined;
  const spark = sparkText(row.losses, SPARK_WIDTH, bars).padEnd(SPARK_WIDTH);
  return [
    ...(selection.kind === 'step' ? [figure(inStep ?? '', { bold: true })] : []),
    figure(last, selection.kind === 'step' ? {} : { bold: true }),
    figure(first),
    figure(change, isRising ? { tone: 'failed' } : quiet),
    ...(width >= EASY_WIDTH ? [span('  '), span(spark, { tone: 'training' })] : []),
    span('  '),
    ...(answer === '' ? [span(place, quiet)] : [span(answer)]),
  ];
}

/** For terminals without UTF-8. */
const ASCII_BARS = '_.-=*#';

function detailLines(row: RowLoss, width: number): Line[] {
  const { place, prompt, answer } = rowFigures(row);
  const text = (value: string, limit: number, style = {}) =>
    paragraph(value, width - 2, style, limit).map(part => [span(' '), ...part]);
  return [
    [],
    [span(' '), span(`${place} · trained on ${plural(row.visits, 'time')}`, quiet)],
    ...text(prompt, 2, quiet),
    ...text(answer, 2),
  ];
}
