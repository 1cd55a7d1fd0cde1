// The jobs list as lines: what is searched and filtered, and of the rows only those in sight.
import {
  formatLocalTime,
  jobCount,
  keepInSight,
  NO_JOBS,
  STATUS_FILTERS,
} from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import type { Canvas, Drawn } from '../../drawing/canvas.js';
import {
  centred,
  fitHeight,
  fitLine,
  highlight,
  type Line,
  line,
  quiet,
  type Span,
  span,
} from '../../drawing/line.js';
import { problemRows, statusSpan, waitingLine } from '../../drawing/words.js';
import { chosenJob, chosenRow, type JobsState } from './state.js';

const STATUS_WIDTH = 11;
const CREATED_WIDTH = 23;
const ID_WIDTH = 36;
const LEAST_NAME_WIDTH = 20;
const GAP = 2;
const INDENT = 1;

export interface JobsLayout {
  /** All four columns have room. */
  readonly isWide: boolean;
  readonly nameWidth: number;
  /** How many jobs are in sight. */
  readonly rows: number;
}

export function layOutJobs({ fetched, showsIds }: JobsState, { width, height, glyphs }: Canvas): JobsLayout {
  const fixed = INDENT * 2 + STATUS_WIDTH + GAP;
  const both = CREATED_WIDTH + ID_WIDTH + 2 * GAP;
  const isWide = width - fixed - both >= LEAST_NAME_WIDTH;
  const rest = isWide ? both : GAP + (showsIds ? ID_WIDTH : CREATED_WIDTH);
  const problem = problemRows(fetched.problem, { width, glyphs }).length;
  // The filters, a blank line and the titles above; the chosen one's ID below where it has no column.
  const around = 3 + problem + (isWide ? 0 : 1);
  return { isWide, nameWidth: width - fixed - rest, rows: Math.max(1, height - around) };
}

export function drawJobs(state: JobsState, canvas: Canvas): Drawn {
  const { fetched, query, list } = state;
  const { width, height, glyphs } = canvas;
  const layout = layOutJobs(state, canvas);
  const head = [filterLine(query.status), ...problemRows(fetched.problem, { width, glyphs }), []];
  if (list.rows.length === 0) {
    const room = Math.max(0, height - head.length);
    return { lines: [...head, ...centred(emptyLines(state), width, room)] };
  }
  const chosen = chosenRow(state);
  const top = keepInSight(state.top, chosen, layout.rows, list.rows.length);
  const rows = list.rows
    .slice(top, top + layout.rows)
    .map((job, index) => jobLine(job, state, layout, canvas, top + index === chosen));
  const foot = layout.isWide ? [] : [hiddenLine(state)];
  return { lines: [...head, titleLine(state, layout), ...fitHeight(rows, layout.rows), ...foot] };
}

/** What the chosen row has no column for. */
function hiddenLine(state: JobsState): Line {
  const { id, createdAt } = chosenJob(state)!;
  return line(state.showsIds ? ` Created ${formatLocalTime(createdAt)}` : ` ID ${id}`, quiet);
}

/** What is searched for stands in the text while it is typed. */
export function jobsStatus({ fetched, query, list }: JobsState, isPrompting: boolean): Line {
  if (!fetched.value) return [];
  const count = span(jobCount(list.rows.length, fetched.value.length), quiet);
  if (isPrompting || query.search === '') return [count];
  return [span(`/${query.search}  `, { tone: 'accent' }), count];
}

function filterLine(active: string): Line {
  return STATUS_FILTERS.flatMap(({ value, label }, index) => [
    span(index === 0 ? '' : ' '),
    value === active ? span(` ${label} `, { inverse: true, bold: true }) : span(` ${label} `, quiet),
  ]);
}

function emptyLines({ fetched, list }: JobsState): Line[] {
  if (!fetched.value) return waitingLine(fetched.isSlow && fetched.problem === null);
  const hint =
    list.placeholder === NO_JOBS
      ? 'Press R to run training; its job is listed here.'
      : 'Press Esc to see all jobs again.';
  return [line(list.placeholder ?? '', { bold: true }), line(hint, quiet)];
}

function titleLine({ showsIds }: JobsState, { isWide, nameWidth }: JobsLayout): Line {
  const cells: [string, number][] = [
    ['Status', STATUS_WIDTH],
    ['Name', nameWidth],
    ...(isWide || !showsIds ? [['Created', CREATED_WIDTH] as [string, number]] : []),
    ...(isWide || showsIds ? [['ID', ID_WIDTH] as [string, number]] : []),
  ];
  return joinCells(cells.map(([title, room]) => fitLine(line(title, quiet), room)));
}

function jobLine(
  job: JobSummary,
  { showsIds }: JobsState,
  { isWide, nameWidth }: JobsLayout,
  { width, glyphs }: Canvas,
  isChosen: boolean,
): Line {
  const cells = [
    fitLine([statusSpan(job.status, glyphs)], STATUS_WIDTH),
    fitLine([span(job.name)], nameWidth),
    ...(isWide || !showsIds ? [fitLine([span(formatLocalTime(job.createdAt))], CREATED_WIDTH)] : []),
    ...(isWide || showsIds ? [fitLine([span(job.id, quiet)], ID_WIDTH)] : []),
  ];
  const joined = joinCells(cells);
  return isChosen ? highlight(joined, width) : joined;
}

function joinCells(cells: readonly Line[]): Span[] {
  const gap = span(' '.repeat(GAP));
  return cells.flatMap((cell, index) => [index === 0 ? span(' '.repeat(INDENT)) : gap, ...cell]);
}
