// The jobs table in the terminal: the columns that fit next to the name, and below the table the selected
// job's values that have no column.
import type { JobSettings, JobSummary } from '../../contract/index.js';
import { groupText } from '../labels.js';
import { toSafeLine } from '../safe-text.js';
import { cutToWidth, displayWidth } from '../text/display-width.js';
import { formatCount, formatLocalTime } from '../text/format.js';
import { fitText, type Span } from '../text/spans.js';
import { jobColumns, terminalColumnKeys } from './job-columns.js';
import { type FilterCounts, STATUS_FILTERS, type StatusFilter } from './job-list.js';
import { type Sweep, sweepColumns } from './sweep.js';

/** The sets of columns after the name. */
export const COLUMN_PAGES = ['own', 'results', 'settings'] as const;

interface TableOptions {
  readonly page: (typeof COLUMN_PAGES)[number];
  /** Whether to show IDs, if IDs and dates do not both fit. */
  readonly showsIds: boolean;
  /** The width of the whole list. */
  readonly width: number;
  readonly height: number;
  readonly rows: readonly JobSummary[];
  /** The sweep whose runs are listed; null for all jobs. */
  readonly sweep: Sweep | null;
  readonly settings: ReadonlyMap<string, JobSettings>;
}

interface JobTable {
  readonly titles: string;
  /** The cells after a job's status. */
  cells(job: JobSummary): Span[];
  /** The height of the values below the table. */
  readonly belowHeight: number;
  below(job: JobSummary): string[];
  /** Either IDs or dates fit, but not both. */
  readonly canTurn: boolean;
}

interface Column {
  readonly title: string;
  readonly width: number;
  readonly isQuiet?: true;
  text(job: JobSummary): string;
}

const GAP = 2;
const INDENT = 1;
const STATUS = 11;
/** Includes the gap after it. */
export const JOB_STATUS_WIDTH = STATUS + GAP;

const ID: Column = { title: 'ID', width: 36, isQuiet: true, text: ({ id }) => id };
/** Times that are as long as any, in each half of the day. */
const LONG_TIMES = [10, 22].map(hour => new Date(2026, 11, 30, hour, 58, 58).toISOString());
/** The minimum width of the name next to several columns; smaller if the columns matter more. */
const EASY_NAME = 20;
const LEAST_NAME = 7;
const VALUE = { least: 10, most: 20 };
/** The maximum share of the height for values without a column. */
const MOST_BELOW = 1 / 4;

export function jobTable(options: TableOptions): JobTable {
  const { page, showsIds, sweep, width, height } = options;
  const nameBeside = (columns: readonly Column[]) =>
    columns.reduce((rest, column) => rest - GAP - column.width, width - INDENT * 2 - JOB_STATUS_WIDTH);
  const isOwn = page === 'own' && !sweep;
  const ownColumns = [createdColumn(), ID];
  const canTurn = isOwn && nameBeside(ownColumns) < EASY_NAME && nameBeside([ID]) >= LEAST_NAME;
  const own = canTurn && showsIds ? [ID] : ownColumns;
  const offered = isOwn ? own : addedColumns(options);
  let count = offered.length;
  const least = () => (sweep || (isOwn && count === 1) ? LEAST_NAME : EASY_NAME);
  while (count > 0 && nameBeside(offered.slice(0, count)) < least()) count--;
  const shown = offered.slice(0, count);
  const others = isOwn ? [] : toLines(offered.slice(count), width);
  const hiddenOwn = ownColumns.filter(column => !shown.includes(column));
  const below = [...others.slice(0, height * MOST_BELOW), ...toLines(hiddenOwn, width)];
  const nameWidth = nameBeside(shown);
  const cells = (texts: (readonly [text: string, width: number])[]) =>
    texts.map(([text, width]) => fitText(text, width)).join(' '.repeat(GAP));
  return {
    canTurn,
    titles: ` ${cells([['Status', STATUS], ['Name', nameWidth], ...shown.map(({ title, width }) => [title, width] as const)])}`,
    cells: job => [
      ...nameCell(job, nameWidth, sweep !== null),
      ...shown.map(({ width, isQuiet, text }) => ({
        text: ' '.repeat(GAP) + fitText(text(job), width),
        style: { dim: isQuiet },
      })),
    ],
    belowHeight: below.length,
    below: job =>
      below.map(
        line => ` ${cells(line.map(column => [`${column.title} ${column.text(job)}`, widthBelow(column)]))}`,
      ),
  };
}

/** As wide as times are in this language. */
function createdColumn(): Column {
  const width = Math.max(...LONG_TIMES.map(time => displayWidth(formatLocalTime(time))));
  return { title: 'Created', width, text: ({ createdAt }) => formatLocalTime(createdAt) };
}

/** A run's sweep settings and the tags follow the name as far as they fit. */
function nameCell({ name, group, tags }: JobSummary, width: number, isSwept: boolean): Span[] {
  const own = cutToWidth(toSafeLine(name), width);
  const more = [!isSwept && group && groupText(group), ...tags.map(tag => `#${tag}`)].filter(Boolean);
  return [
    { text: own },
    { text: fitText(['', ...more].join(' '), width - displayWidth(own)), style: { dim: true } },
  ];
}

/** Result or setting columns, as wide as their titles and content. */
function addedColumns({ page, rows, sweep, settings }: TableOptions): Column[] {
  const added = sweep
    ? sweepColumns(sweep)
    : jobColumns(page === 'results' ? terminalColumnKeys(rows) : ['settings'], rows, settings);
  return added.map(({ title, text }) => {
    const textNow = (job: JobSummary) => text(job, Date.now());
    const longest = rows.reduce((most, job) => Math.max(most, displayWidth(textNow(job))), VALUE.least);
    return { title, width: Math.max(displayWidth(title), Math.min(VALUE.most, longest)), text: textNow };
  });
}

const widthBelow = ({ title, width }: Column) => displayWidth(title) + 1 + width;

/** Breaks columns into lines as they fit, each with its title. */
function toLines(columns: readonly Column[], width: number): Column[][] {
  const lines: Column[][] = [];
  let room = 0;
  for (const column of columns) {
    const needed = GAP + widthBelow(column);
    if (lines.length === 0 || needed > room) {
      lines.push([]);
      room = width + GAP - INDENT;
    }
    lines.at(-1)!.push(column);
    room -= needed;
  }
  return lines;
}

/**
 * The status filters, with smaller gaps or without counts if space is tight; at worst only the neighbors of
 * the active one.
 */
export function filterChips(active: StatusFilter, counts: FilterCounts | null, width: number): Span[] {
  const labels = STATUS_FILTERS.map(({ value, label }) =>
    counts ? `${label} ${formatCount(counts.statuses[value])}` : label,
  );
  const bare = STATUS_FILTERS.map(({ label }) => label);
  const [wide, close] = [labels.map(padded), labels.map((label, i) => (i === 0 ? ` ${label}` : label))];
  const texts = [wide, close, bare.map(padded)].find(texts => texts.join(' ').length <= width) ?? wide;
  const chips = STATUS_FILTERS.map(({ value }, i) => ({ isActive: value === active, text: texts[i]! }));
  const fits = (from: number, to: number) => texts.slice(from, to).join(' ').length <= width;
  let end = chips.findIndex(({ isActive }) => isActive) + 1;
  let start = 0;
  while (start < end - 1 && !fits(start, end)) start++;
  while (end < chips.length && fits(start, end + 1)) end++;
  return chips
    .slice(start, end)
    .flatMap(({ text, isActive }) => [
      { text, style: isActive ? { inverse: true, bold: true } : { dim: true } },
      { text: ' ' },
    ]);
}

const padded = (label: string) => ` ${label} `;
