// The rows of a job by their loss, in a terminal: a line each, and one in full.
import type { RowLoss } from '../contract/index.js';
import { rowFigures, sparkText } from './row-losses.js';
import { fitText, paragraphRows, type Span } from './spans.js';

interface LossOptions {
  readonly width: number;
  /** The rows are those of a step. */
  readonly isStep: boolean;
  /** From the lowest to the highest. */
  readonly bars?: string | undefined;
}

const FIGURE = 8;
const SPARK = 12;
/** Narrower, there is no room for the sparkline beside the text. */
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
