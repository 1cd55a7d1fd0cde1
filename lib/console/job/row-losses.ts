// A job's rows by loss, shared by both faces and the command line: as terminal rows, and in full.
import { type RowLoss, type RowLosses, type RowLossSort, readMappedName } from '../../contract/index.js';
import { formatCount, formatNumber, plural } from '../text/format.js';
import { fitText, paragraphRows, type Span } from '../text/spans.js';

/** Which rows to show: the worst, those with a rising loss, or those of a step. */
export type RowSelection =
  | { readonly kind: 'worst' }
  | { readonly kind: 'rising' }
  | { readonly kind: 'step'; readonly step: number };

interface RowSelectionRequest {
  readonly sort: RowLossSort;
  readonly rising: boolean;
  readonly step: number | undefined;
}

export function toRowRequest(selection: RowSelection): RowSelectionRequest {
  return {
    sort: selection.kind === 'rising' ? 'rise' : 'last',
    rising: selection.kind === 'rising',
    step: selection.kind === 'step' ? selection.step : undefined,
  };
}

/** The filters with their labels. */
export const ROW_FILTERS = [
  { kind: 'worst', label: 'All rows' },
  { kind: 'rising', label: 'Loss rises' },
] as const;

const ROW_TITLES: Readonly<Record<'worst' | 'rising', string>> = {
  worst: 'Rows learned worst',
  rising: 'Rows whose loss rises',
};

export function rowsTitle(selection: RowSelection): string {
  return selection.kind === 'step'
    ? `Rows of step ${formatCount(selection.step)}`
    : ROW_TITLES[selection.kind];
}

/** A row's values as text. */
interface RowFigures {
  readonly first: string;
  readonly last: string;
  /** Signed; empty after one visit. */
  readonly change: string;
  /** The loss in the requested step, or null. */
  readonly inStep: string | null;
  readonly visits: string;
  readonly place: string;
  readonly prompt: string;
  readonly answer: string;
  readonly isRising: boolean;
}

export function rowFigures({ first, last, inStep, visits, row, text }: RowLoss): RowFigures {
  const change = last - first;
  /** A change that rounds to zero has no sign. */
  const isShown = Number(lossText(Math.abs(change))) > 0;
  return {
    first: lossText(first),
    last: lossText(last),
    change: visits > 1 ? `${isShown ? (change > 0 ? '+' : '−') : ''}${lossText(Math.abs(change))}` : '',
    inStep: inStep === null ? null : lossText(inStep),
    visits: formatCount(visits),
    place: text ? placeOf(text) : `row ${formatCount(row + 1)}`,
    prompt: text?.prompt ?? '',
    answer: text?.answer ?? '',
    isRising: visits > 1 && change > 0 && isShown,
  };
}

/** `train.jsonl:3`; rows that were mapped may be fewer than those of their file. */
function placeOf({ file, number }: Pick<NonNullable<RowLoss['text']>, 'file' | 'number'>): string {
  const source = readMappedName(file);
  return source === null ? `${file}:${number}` : `row ${formatCount(number)} of ${source} after mapping`;
}

/** Three decimals are enough to compare rows. */
function lossText(loss: number): string {
  return loss >= 1000 ? formatNumber(loss) : loss.toFixed(3);
}

interface Listed {
  readonly rows: readonly unknown[];
  readonly total: number;
  readonly every?: number;
}

/** Each row once: while a job trains, rows move between the pages that are read. */
export function distinctRows<Row extends { readonly row: number }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map(row => [row.row, row])).values()];
}

/** The number of rows and the total: `20 of 300 rows · every 10th row is recorded`. */
export function rowsNote({ rows, total, every = 1 }: Listed): string {
  const shown =
    rows.length < total ? `${formatCount(rows.length)} of ${plural(total, 'row')}` : plural(total, 'row');
  return every > 1 ? `${shown} · only 1 in ${formatCount(every)} rows is recorded` : shown;
}

/** Why there are no rows. */
export function noRowsText(
  selection: RowSelection,
  { recorded, unrecorded }: Pick<RowLosses, 'recorded' | 'unrecorded'>,
): string {
  if (unrecorded !== null) return unrecorded;
  if (recorded === 0) return 'No row losses recorded yet';
  if (selection.kind === 'rising') return 'No row’s loss rises';
  return selection.kind === 'step' ? 'This step has no recorded rows' : 'No rows';
}

const BARS = '▁▂▃▄▅▆▇█';

/** A row's losses over time as bars, from 0 to the highest; only the latest if there are too many. */
export function sparkText(losses: RowLoss['losses'], width: number, bars = BARS): string {
  const shown = losses.slice(-width);
  const highest = Math.max(...shown.map(({ loss }) => loss), Number.MIN_VALUE);
  return shown
    .map(
      ({ loss }) => bars[Math.min(bars.length - 1, Math.floor((Math.max(0, loss) / highest) * bars.length))],
    )
    .join('');
}

/** Like `sparkText`, as points between 0 and 1 with the y-axis pointing up. */
export function sparkPoints(losses: RowLoss['losses']): { x: number; y: number }[] {
  const highest = Math.max(...losses.map(({ loss }) => loss), Number.MIN_VALUE);
  const last = Math.max(1, losses.length - 1);
  return losses.map(({ loss }, index) => ({ x: index / last, y: Math.max(0, loss) / highest }));
}

/** A text alternative for the sparkline. */
export function sparkSummary(losses: RowLoss['losses']): string {
  return losses.map(({ step, loss }) => `step ${formatCount(step)}: ${lossText(loss)}`).join(', ');
}

interface LossOptions {
  readonly width: number;
  /** Shows the rows of a step. */
  readonly isStep: boolean;
  /** The bar characters, from lowest to highest. */
  readonly bars?: string | undefined;
}

const FIGURE = 8;
const SPARK = 12;
/** Narrower screens have no room for the sparkline next to the text. */
const EASY_WIDTH = 72;

export function lossTitles({ width, isStep }: LossOptions): string {
  const figures = [...(isStep ? ['In step'] : []), 'Last', 'First', 'Change'];
  const spark = width >= EASY_WIDTH ? `  ${'Over time'.padEnd(SPARK)}` : '';
  return `${figures.map(title => title.padStart(FIGURE)).join('')}${spark}  Answer`;
}

export function lossCells(row: RowLoss, { width, isStep, bars }: LossOptions): Span[] {
  const { inStep, last, first, change, isRising, answer, place } = rowFigures(row);
  const figure = (text: string, style: Span['style'] = {}) => ({
    text: fitText(text, FIGURE, 'right'),
    style,
  });
  const spark = `  ${sparkText(row.losses, SPARK, bars).padEnd(SPARK)}`;
  return [
    ...(isStep ? [figure(inStep ?? '', { bold: true })] : []),
    figure(last, { bold: !isStep }),
    figure(first),
    figure(change, isRising ? { tone: 'failed' } : { dim: true }),
    ...(width >= EASY_WIDTH ? [{ text: spark, style: { tone: 'training' } as const }] : []),
    { text: `  ${answer || place}`, style: { dim: answer === '' } },
  ];
}

export function lossDetail(row: RowLoss, width: number): Span[][] {
  const { prompt, answer } = rowFigures(row);
  const rowsOf = (text: string, dim: boolean) =>
    text === '' ? [] : paragraphRows(text, width).map(text => [{ text, style: { dim } }]);
  return [...rowsOf(prompt, true), ...rowsOf(answer, false)];
}
