// The data preview in the terminal: the report line by line, the rows token by token, and their lengths.
import type {
  DataFinding,
  DataMeasurement,
  DataReport,
  PreviewRow,
  PreviewToken,
} from '../contract/index.js';
import {
  barCells,
  dataFacts,
  FINDING_TEXTS,
  findingAdvice,
  GRADE_MARKS,
  lengthBars,
  measurementText,
  sampleText,
  tokenRuns,
} from './data-view.js';
import { toSafeText } from './safe-text.js';
import { formatCount, plural } from './text/format.js';
import { paragraphRows, type Span, type Style, wrapSpans, wrapWords } from './text/spans.js';

const GRADES = { error: { tone: 'failed' }, warning: { tone: 'warning' }, note: { dim: true } } as const;
/** On shorter screens, figures and findings take one line. */
const EASY_HEIGHT = 23;
const MOST_FINDINGS = 4;

interface ReportOptions {
  readonly width: number;
  /** The height of the whole view. */
  readonly height: number;
  readonly finding: DataFinding | null;
  readonly measurement: DataMeasurement | null;
}

/** The figures and findings, or the reason of the finding that filters the rows, with advice. */
export function reportRows(
  report: DataReport,
  { finding, measurement, width, height }: ReportOptions,
): Span[][] {
  const wrapped = (text: string, dim = true) =>
    paragraphRows(text, width - 2).map(row => [{ text: ` ${row}`, style: { dim } }]);
  const { findings } = report;
  if (finding !== null)
    return wrapped(findingAdvice(findings.find(({ name }) => name === finding) ?? { name: finding }));
  const facts = dataFacts(report);
  if (measurement) facts.push(['Time', measurementText(measurement)]);
  if (height < EASY_HEIGHT) {
    const short = `${facts[0]![1]} · ${plural(findings.length, 'finding')}`;
    return [short, ...(measurement ? [facts.at(-1)![1]] : [])].flatMap(text => wrapped(text, false));
  }
  const column = Math.max(...facts.map(([label]) => label.length)) + 3;
  const sample = sampleText(report);
  const more = findings.length - MOST_FINDINGS;
  return [
    ...facts.flatMap(([label, value]) =>
      paragraphRows(value, width - column - 1).map((row, index) => [
        { text: ` ${index === 0 ? label : ''}`.padEnd(column), style: { dim: true } },
        { text: row },
      ]),
    ),
    ...(sample ? wrapped(sample) : []),
    [{ text: ' ' }],
    ...findings.slice(0, MOST_FINDINGS).map(({ name, grade, rows }) => {
      const text = ` ${GRADE_MARKS[grade]} ${FINDING_TEXTS[name].title}: ${plural(rows, 'row')}`;
      return [{ text, style: GRADES[grade] }];
    }),
    ...(findings.length === 0 ? wrapped('Nothing wrong found') : []),
    ...(more > 0 ? wrapped(`… and ${formatCount(more)} more`) : []),
  ];
}

export function previewCells({ findings, file, number, prompt, answer }: PreviewRow): Span[] {
  return [
    { text: findings.length > 0 ? ' ! ' : '   ', style: { tone: 'warning' } },
    { text: `${file}:${number}  ` },
    { text: prompt || answer, style: { dim: true } },
  ];
}

/**
 * Learned tokens are highlighted, context is dim, truncated tokens are struck through, and the model's
 * special tokens are bold.
 */
export function tokenRows(
  { findings, like, views }: PreviewRow,
  width: number,
  isColored: boolean,
): Span[][] {
  const styles: Readonly<Record<PreviewToken['kind'], Style>> = {
    learned: isColored ? { tone: 'accent' } : { inverse: true },
    read: { dim: true },
    cut: { dim: true, strike: true },
  };
  const place = like ? ` (see ${like.file}:${like.number})` : '';
  const found: Span = {
    text: findings.map(name => FINDING_TEXTS[name].title).join(', ') + place,
    style: { tone: 'warning' },
  };
  return [
    ...(findings.length > 0 ? wrapWords([found], width) : []),
    ...views.flatMap(({ label, tokens, omitted }): Span[][] => [
      ...(label ? [[{ text: label, style: { bold: true } }]] : []),
      ...wrapSpans(
        tokenRuns(tokens).map(({ text, kind, special }) => ({
          text: toSafeText(text, '    '),
          style: { ...styles[kind], ...(special && { bold: true, dim: false }) },
        })),
        width,
      ),
      ...(omitted > 0 ? [[{ text: `… and ${plural(omitted, 'more token')}`, style: { dim: true } }]] : []),
    ]),
  ];
}

interface LengthOptions {
  readonly width: number;
  readonly height: number;
  /** The characters for bars, so that terminals without colors work: bars over the limit are lighter. */
  readonly bar: readonly [within: string, over: string];
}

const WIDEST_BAR = 48;
const LIMIT = ' ← limit';

/** The row lengths as bars, one per line, with the context limit. */
export function lengthRows(
  report: DataReport,
  { width, height, bar: [within, over] }: LengthOptions,
): Span[][] {
  const bars = lengthBars(report, Math.max(1, height - 2));
  const column = Math.max(...bars.map(({ label }) => label.length));
  const counts = Math.max(...bars.map(({ rows }) => formatCount(rows).length));
  const room = Math.max(2, Math.min(WIDEST_BAR, width - column - counts - LIMIT.length - 4));
  return [
    [],
    [{ text: ' Tokens per row', style: { bold: true } }],
    ...(bars.length === 0 ? [[{ text: ' No lengths', style: { dim: true } }]] : []),
    ...bars.map((bar): Span[] => [
      { text: ` ${bar.label.padStart(column)}  `, style: { dim: true } },
      {
        text: (bar.isOver ? over : within).repeat(barCells(bar, room)),
        style: { tone: bar.isOver ? 'warning' : 'training' },
      },
      { text: ` ${formatCount(bar.rows)}` },
      { text: bar.hasLimit ? LIMIT : '', style: { dim: true } },
    ]),
  ];
}
