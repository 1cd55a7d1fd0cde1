// The jobs list as lines: the filters, and only the rows that are visible.
import {
  compareHint,
  displayWidth,
  formatCount,
  formatLocalTime,
  groupText,
  jobColumns,
  jobCount,
  NO_JOBS,
  STATUS_FILTERS,
  shortId,
  sweepColumns,
  sweepProgress,
  winnerText,
} from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import type { Canvas, Drawn } from '../../drawing/canvas.js';
import {
  centered,
  cutLine,
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
import { sweepPicture } from './sweep-picture.js';

const STATUS_WIDTH = 11;
const GAP = 2;
const INDENT = 1;

interface Column {
  readonly title: string;
  readonly width: number;
  readonly isQuiet?: true;
  text(job: JobSummary): string;
}

const CREATED: Column = { title: 'Created', width: 23, text: ({ createdAt }) => formatLocalTime(createdAt) };
const ID: Column = { title: 'ID', width: 36, isQuiet: true, text: ({ id }) => id };
/** The columns that are only shown if they fit. What does not is shown below, for the selected job. */
const OWN: readonly Column[] = [CREATED, ID];
/** The minimum width for the name with both columns, and with one. */
const EASY_NAME_WIDTH = 20;
const LEAST_NAME_WIDTH = 7;
const ADDED_WIDTH = { least: 10, most: 20 };
/** Of a sweep; its table comes first. */
const PICTURE = { leastWidth: 50, leastRows: 5, mostRows: 18 };
const LEAST_TABLE = 4;
const RESULTS = ['duration', 'loss', 'evalLoss', 'bestLoss', 'bestEvalLoss'];

interface JobsLayout {
  readonly columns: readonly Column[];
  /** Either of the two fits, but not both. */
  readonly canTurn: boolean;
  readonly nameWidth: number;
  /** The rows for the picture of a sweep, and how many jobs fit below. */
  readonly picture: number;
  readonly rows: number;
}

export function layOutJobs(state: JobsState, { width, height, glyphs }: Canvas): JobsLayout {
  const fixed = INDENT * 2 + STATUS_WIDTH + GAP;
  const nameWidthWith = (columns: readonly Column[]) =>
    columns.reduce((rest, column) => rest - GAP - column.width, width - fixed);
  const { columns, canTurn } = chooseColumns(state, nameWidthWith);
  const problem = problemRows(state.fetched.problem, { width, glyphs }).length;
  // Above: the filters, a blank line and the titles. Below: what has no column, for the selected job.
  const around =
    3 + problem + sweepLines(state, width).length + OWN.filter(column => !columns.includes(column)).length;
  const picture = pictureRows(state, width, height - around);
  const rows = Math.max(1, height - around - picture);
  return { columns, canTurn, nameWidth: nameWidthWith(columns), picture, rows };
}

/** The room for the picture of a sweep, if the table keeps enough. */
function pictureRows({ sweep }: JobsState, width: number, free: number): number {
  if (!sweep || width < PICTURE.leastWidth) return 0;
  const table = Math.min(sweep.runs.length, Math.max(LEAST_TABLE, Math.floor(free / 2)));
  const rows = Math.min(PICTURE.mostRows, free - table);
  return rows < PICTURE.leastRows ? 0 : rows;
}

type NameWidthWith = (columns: readonly Column[]) => number;

function chooseColumns(
  state: JobsState,
  nameWidthWith: NameWidthWith,
): Pick<JobsLayout, 'columns' | 'canTurn'> {
  if (state.sweep || state.columns !== 'own')
    return { columns: addedColumns(state, nameWidthWith), canTurn: false };
  if (nameWidthWith(OWN) >= EASY_NAME_WIDTH) return { columns: OWN, canTurn: false };
  const fitting = OWN.filter(column => nameWidthWith([column]) >= LEAST_NAME_WIDTH);
  const canTurn = fitting.length === OWN.length;
  const turned = fitting.filter(column => !canTurn || column === (state.showsIds ? ID : CREATED));
  return { columns: turned, canTurn };
}

/** A score only where there is one. */
function resultsOf(jobs: readonly JobSummary[]): string[] {
  return jobs.some(({ bestScore }) => bestScore) ? [...RESULTS, 'bestScore'] : [...RESULTS];
}

/** As many as fit. */
function addedColumns(state: JobsState, nameWidthWith: NameWidthWith): Column[] {
  const { list, settings, columns, sweep } = state;
  const now = Date.now();
  const chosen = sweep
    ? sweepColumns(sweep)
    : jobColumns(columns === 'results' ? resultsOf(list.rows) : ['settings'], list.rows, settings);
  const all = chosen.map(
    ({ title, text }): Column => ({
      title,
      width: Math.min(ADDED_WIDTH.most, Math.max(ADDED_WIDTH.least, displayWidth(title))),
      text: job => text(job, now),
    }),
  );
  // The columns of a sweep say what its runs are.
  const least = sweep ? LEAST_NAME_WIDTH : EASY_NAME_WIDTH;
  const fitting = all.findIndex((_, index) => nameWidthWith(all.slice(0, index + 1)) < least);
  return fitting === -1 ? all : all.slice(0, fitting);
}

export function drawJobs(state: JobsState, canvas: Canvas): Drawn {
  const { fetched, list } = state;
  const { width, height, glyphs } = canvas;
  const layout = layOutJobs(state, canvas);
  const head = [
    filterLine(state, width),
    ...problemRows(fetched.problem, { width, glyphs }),
    ...sweepLines(state, width),
    ...pictureLines(state, layout, canvas),
    [],
  ];
  if (list.rows.length === 0) {
    const room = Math.max(0, height - head.length);
    return { lines: [...head, ...centered(emptyLines(state), width, room)] };
  }
  const place = { chosen: chosenRow(state), top: state.top, width, inSight: layout.rows };
  const rows = listRows(list.rows, place, job => [jobLine(job, state, layout, canvas)]);
  const foot = hiddenLines(chosenJob(state)!, layout);
  return { lines: [...head, titleLine(layout), ...fitHeight(rows, layout.rows), ...foot] };
}

function pictureLines(state: JobsState, { picture }: JobsLayout, { width, glyphs }: Canvas): Line[] {
  if (!state.sweep || picture === 0) return [];
  const size = { width: width - 2 * INDENT, height: picture };
  return sweepPicture(state.sweep, chosenJob(state)?.id ?? null, size, glyphs).map(row => [
    span(' '.repeat(INDENT)),
    ...row,
  ]);
}

/** The selected job's values that have no column. */
function hiddenLines(job: JobSummary, { columns }: JobsLayout): Line[] {
  return OWN.filter(column => !columns.includes(column)).map(({ title, text }) =>
    line(` ${title} ${text(job)}`, quiet),
  );
}

/** Of the sweep whose runs are listed: how far it is, and the best run; in one line if they fit. */
function sweepLines({ sweep }: JobsState, width: number): Line[] {
  if (!sweep) return [];
  const best = winnerText(sweep);
  const done = [
    span(` Sweep ${shortId(sweep.id)}`, { bold: true }),
    span(`  ${sweepProgress(sweep)}`, quiet),
  ];
  if (!best) return [cutLine(done, width)];
  const winner = [span(' Best', { tone: 'evaluation', bold: true }), span(`  ${best}`)];
  const both = [...done, span('  '), ...winner];
  return lineWidth(both) <= width ? [both] : [cutLine(done, width), cutLine(winner, width)];
}

/** The prompt shows the search text while it is being typed. */
export function jobsStatus({ fetched, query, list, compared }: JobsState, isPrompting: boolean): Line {
  if (!fetched.value) return [];
  const count = span(jobCount(list.rows.length, fetched.value.length), quiet);
  if (!isPrompting && compared.length > 0)
    return [
      count,
      span(`  ${compareHint(compared.length)}${compared.length > 1 ? ' C compares them.' : ''}`),
    ];
  const { search, tags = [] } = query;
  const said = [search && `/${search}`, ...tags.map(tag => `#${tag}`)].filter(Boolean).join(' ');
  if (isPrompting || said === '') return [count];
  return [span(`${said}  `, { tone: 'accent' }), count];
}

/** Skips as many filters as needed to show the active one. */
function filterLine({ query: { status: active }, counts }: JobsState, width: number): Line {
  const chips = STATUS_FILTERS.map(({ value, label }) => {
    const text = counts ? ` ${label} ${formatCount(counts.statuses[value])} ` : ` ${label} `;
    return value === active ? span(text, { inverse: true, bold: true }) : span(text, quiet);
  });
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
    ...columns.map(({ title, width }): [string, number] => [title, width]),
  ];
  return joinCells(cells.map(([title, room]) => fitLine(line(title, quiet), room)));
}

function jobLine(
  job: JobSummary,
  { compared, sweep }: JobsState,
  { columns, nameWidth }: JobsLayout,
  { glyphs }: Canvas,
): Line {
  const cells = joinCells([
    fitLine([statusSpan(job.status, glyphs)], STATUS_WIDTH),
    fitLine(nameSpans(job, sweep !== null), nameWidth),
    ...columns.map(({ text, isQuiet, width }) => fitLine([span(text(job), isQuiet ? quiet : {})], width)),
  ]);
  return compared.includes(job.id) ? [span(glyphs.prompt, { bold: true }), ...cells.slice(1)] : cells;
}

/** What distinguishes a run of a sweep, and the tags, follow the name as far as they fit. */
function nameSpans({ name, group, tags }: JobSummary, isSwept: boolean): Span[] {
  const more = [!isSwept && group && groupText(group), ...tags.map(tag => `#${tag}`)].filter(Boolean);
  return [span(name), ...more.map(text => span(` ${text}`, quiet))];
}

function joinCells(cells: readonly Line[]): Span[] {
  const gap = span(' '.repeat(GAP));
  return cells.flatMap((cell, index) => [index === 0 ? span(' '.repeat(INDENT)) : gap, ...cell]);
}
