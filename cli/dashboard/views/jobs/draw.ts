// The jobs list as lines: the filters, and only the rows that are visible.
import { formatLocalTime, jobCount, NO_JOBS, STATUS_FILTERS } from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import type { Canvas, Drawn } from '../../drawing/canvas.js';
import {
  centered,
  fitHeight,
  fitLine,
  type Line,
  line,
  lineWidth,
  quiet,
  type Span,
  span,
} from '../../drawing/line.js';
import { listRows } from '../../drawing/list-rows.js';
import { problemRows, statusSpan, waitingLine } from '../../drawing/words.js';
import { chosenJob, chosenRow, type JobsState } from './state.js';

const STATUS_WIDTH = 11;
const GAP = 2;
const INDENT = 1;

/** The columns that are only shown if they fit. */
const COLUMNS = ['created', 'id'] as const;
type Column = (typeof COLUMNS)[number];
const TITLES: Readonly<Record<Column, string>> = { created: 'Created', id: 'ID' };
const WIDTHS: Readonly<Record<Column, number>> = { created: 23, id: 36 };
/** The minimum width for the name with both columns, and with one. */
const EASY_NAME_WIDTH = 20;
const LEAST_NAME_WIDTH = 7;

interface JobsLayout {
  readonly columns: readonly Column[];
  /** Either of the two fits, but not both. */
  readonly canTurn: boolean;
  readonly nameWidth: number;
  /** How many jobs fit on the screen. */
  readonly rows: number;
}

export function layOutJobs({ fetched, showsIds }: JobsState, { width, height, glyphs }: Canvas): JobsLayout {
  const fixed = INDENT * 2 + STATUS_WIDTH + GAP;
  const nameWidthWith = (columns: readonly Column[]) =>
    columns.reduce((rest, column) => rest - GAP - WIDTHS[column], width - fixed);
  const isWide = nameWidthWith(COLUMNS) >= EASY_NAME_WIDTH;
  const fitting = COLUMNS.filter(column => nameWidthWith([column]) >= LEAST_NAME_WIDTH);
  const canTurn = !isWide && fitting.length === COLUMNS.length;
  const turned = fitting.filter(column => !canTurn || column === (showsIds ? 'id' : 'created'));
  const columns = isWide ? COLUMNS : turned;
  const problem = problemRows(fetched.problem, { width, glyphs }).length;
  // Above: the filters, a blank line and the titles. Below: what has no column, for the selected job.
  const around = 3 + problem + COLUMNS.length - columns.length;
  return { columns, canTurn, nameWidth: nameWidthWith(columns), rows: Math.max(1, height - around) };
}

export function drawJobs(state: JobsState, canvas: Canvas): Drawn {
  const { fetched, query, list } = state;
  const { width, height, glyphs } = canvas;
  const layout = layOutJobs(state, canvas);
  const head = [filterLine(query.status, width), ...problemRows(fetched.problem, { width, glyphs }), []];
  if (list.rows.length === 0) {
    const room = Math.max(0, height - head.length);
    return { lines: [...head, ...centered(emptyLines(state), width, room)] };
  }
  const place = { chosen: chosenRow(state), top: state.top, width, inSight: layout.rows };
  const rows = listRows(list.rows, place, job => [jobLine(job, layout, canvas)]);
  const foot = hiddenLines(chosenJob(state)!, layout);
  return { lines: [...head, titleLine(layout), ...fitHeight(rows, layout.rows), ...foot] };
}

/** The selected job's values that have no column. */
function hiddenLines(job: JobSummary, { columns }: JobsLayout): Line[] {
  return COLUMNS.filter(column => !columns.includes(column)).map(column =>
    line(` ${TITLES[column]} ${textOf(job, column)}`, quiet),
  );
}

function textOf({ id, createdAt }: JobSummary, column: Column): string {
  return column === 'id' ? id : formatLocalTime(createdAt);
}

/** The prompt shows the search text while it is being typed. */
export function jobsStatus({ fetched, query, list }: JobsState, isPrompting: boolean): Line {
  if (!fetched.value) return [];
  const count = span(jobCount(list.rows.length, fetched.value.length), quiet);
  if (isPrompting || query.search === '') return [count];
  return [span(`/${query.search}  `, { tone: 'accent' }), count];
}

/** Skips as many filters as needed to show the active one. */
function filterLine(active: string, width: number): Line {
  const chips = STATUS_FILTERS.map(({ value, label }) =>
    value === active ? span(` ${label} `, { inverse: true, bold: true }) : span(` ${label} `, quiet),
  );
  const end = STATUS_FILTERS.findIndex(({ value }) => value === active) + 1;
  let start = 0;
  while (start < end && lineWidth(spaced(chips.slice(start, end))) > width) start++;
  return spaced(chips.slice(start));
}

function spaced(chips: readonly Span[]): Line {
  return chips.flatMap((chip, index) => (index === 0 ? [chip] : [span(' '), chip]));
}

function emptyLines({ fetched, list }: JobsState): Line[] {
  if (!fetched.value) return waitingLine(fetched.isSlow && fetched.problem === null);
  const hint =
    list.placeholder === NO_JOBS
      ? 'Press R to run training; its job appears here.'
      : 'Press Esc to show all jobs.';
  return [line(list.placeholder ?? '', { bold: true }), line(hint, quiet)];
}

function titleLine({ columns, nameWidth }: JobsLayout): Line {
  const cells: [string, number][] = [
    ['Status', STATUS_WIDTH],
    ['Name', nameWidth],
    ...columns.map((column): [string, number] => [TITLES[column], WIDTHS[column]]),
  ];
  return joinCells(cells.map(([title, room]) => fitLine(line(title, quiet), room)));
}

function jobLine(job: JobSummary, { columns, nameWidth }: JobsLayout, { glyphs }: Canvas): Line {
  return joinCells([
    fitLine([statusSpan(job.status, glyphs)], STATUS_WIDTH),
    fitLine([span(job.name)], nameWidth),
    ...columns.map(column =>
      fitLine([span(textOf(job, column), column === 'id' ? quiet : {})], WIDTHS[column]),
    ),
  ]);
}

function joinCells(cells: readonly Line[]): Span[] {
  const gap = span(' '.repeat(GAP));
  return cells.flatMap((cell, index) => [index === 0 ? span(' '.repeat(INDENT)) : gap, ...cell]);
}
