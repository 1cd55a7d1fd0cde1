// Evaluations as rows of a terminal: a list, a summary, and the rows that were asked.
import type { ComparedScore, Evaluation, EvaluationRow, GateCheck } from '../../contract/index.js';
import { cutStart, displayWidth } from '../text/display-width.js';
import { fitSpans, fitText, messageRows, paragraphRows, type Span, type Style } from '../text/spans.js';
import {
  changedText,
  evaluationFacts,
  type MatrixRow,
  matrixOf,
  type ScoreLine,
  scoreLines,
  VERDICT_LABELS,
  verdictText,
} from './figures.js';
import { GATE_OUTCOME_LABELS, gateView } from './gate.js';
import { evaluationLine } from './line.js';
import { basisLabel, type EvaluationRowFigures, evaluationRowFigures } from './rows.js';

const VERDICT_STYLES: Readonly<Record<ComparedScore['verdict'], Style>> = {
  better: { tone: 'completed' },
  worse: { tone: 'failed' },
  no_difference_found: { dim: true },
};

const AGE = 15;
const VERDICT = 20;
const [SCORE_WITH_INTERVAL, SHORT_SCORE] = [36, 17];
/** Narrower lists leave intervals out. */
const EASY_LIST = 110;

/** The data and the candidate share the width that the verdict and the score leave. */
function listColumns(width: number) {
  const isEasy = width >= EASY_LIST;
  const score = isEasy ? SCORE_WITH_INTERVAL : SHORT_SCORE;
  const left = Math.max(0, width - 1 - AGE - VERDICT - score);
  const data = Math.ceil(left / 2);
  return { isEasy, score, data, subject: left - data };
}

export function evaluationTitles(width: number): string {
  const { score, data } = listColumns(width);
  const titles = [
    'Made'.padEnd(AGE),
    'Verdict'.padEnd(VERDICT),
    'Score'.padEnd(score),
    fitText('Data', data),
    'Evaluated',
  ];
  return ` ${titles.join('')}`;
}

/** Names keep their end, in which they differ. */
const fitName = (whole: string, short: string, width: number) =>
  displayWidth(whole) <= width ? whole : cutStart(short, width);

/** A line of the list. */
export function evaluationCells(evaluation: Evaluation, now: Date, width: number): Span[] {
  const line = evaluationLine(evaluation, now);
  const { isEasy, score, data, subject } = listColumns(width);
  const spans: Span[] = [
    { text: ` ${fitText(line.age, AGE)}`, style: { dim: true } },
    { text: fitText(line.verdict ?? '', VERDICT), style: line.tone ? VERDICT_STYLES[line.tone] : {} },
    { text: `${fitText(isEasy ? line.score : line.shortScore, score - 1)} ` },
    { text: fitText(fitName(line.data, line.dataName, data - 1), data), style: { dim: true } },
    { text: fitName(line.subject, line.shortSubject, subject), style: { dim: true } },
  ];
  return fitSpans(spans, width);
}

/** All but its rows. */
export function evaluationSummary(evaluation: Evaluation, width: number): Span[][] {
  const { comparison, confusion } = evaluation;
  const compared = comparison?.scores[0];
  const verdict = compared
    ? [
        ...messageRows(verdictText(compared), width, {
          ...VERDICT_STYLES[compared.verdict],
          dim: false,
          bold: true,
        }),
        [{ text: changedText(compared), style: { dim: true } }],
        [],
      ]
    : [];
  return [
    ...gateRows(evaluation, width),
    ...verdict,
    ...factRows(evaluation, width),
    [],
    ...scoreRows(scoreLines(evaluation), width),
    ...(confusion ? [[], ...matrixRows(matrixOf(confusion), width)] : []),
  ];
}

const OUTCOME_STYLES: Readonly<Record<GateCheck['outcome'], Style>> = {
  passed: { tone: 'completed' },
  failed: { tone: 'failed' },
  skipped: { dim: true },
};

/** The decision, and each check on as many rows as its reason needs. */
function gateRows(evaluation: Evaluation, width: number): Span[][] {
  const gate = gateView(evaluation);
  if (!gate) return [];
  const style: Style = { tone: gate.passed ? 'completed' : 'failed', bold: true };
  return [
    ...messageRows(gate.title, width, style),
    ...gate.lines.flatMap(({ label, outcome, text }) => {
      const head: Span[] = [
        { text: `${label.padEnd(16)}` },
        { text: GATE_OUTCOME_LABELS[outcome], style: OUTCOME_STYLES[outcome] },
      ];
      const reason = paragraphRows(text, Math.max(10, width - 2));
      return [head, ...reason.map((row): Span[] => [{ text: `  ${row}`, style: { dim: true } }])];
    }),
    [],
  ];
}

function factRows(evaluation: Evaluation, width: number): Span[][] {
  const facts = evaluationFacts(evaluation);
  const label = Math.max(...facts.map(({ label: text }) => text.length)) + 2;
  return facts.flatMap(({ label: name, value }) =>
    paragraphRows(value, Math.max(10, width - label)).map((text, index): Span[] => [
      { text: (index === 0 ? name : '').padEnd(label), style: { dim: true } },
      { text },
    ]),
  );
}

/** The difference and its interval go below the value if they do not fit next to it. */
function scoreRows(lines: readonly ScoreLine[], width: number): Span[][] {
  const name = Math.min(28, Math.max(8, ...lines.map(({ label }) => displayWidth(label))) + 2);
  const value = 10;
  const interval = 20;
  const isWide = width >= name + 2 * value + interval + 50;
  const title = ['Score'.padEnd(name), 'Value'.padEnd(value), '95 % interval'.padEnd(interval)].join('');
  const isCompared = lines.some(({ difference }) => difference !== null);
  const head: Span[] = [
    {
      text: isWide && isCompared ? `${title}${'Compared'.padEnd(value)}Difference` : title,
      style: { dim: true },
    },
  ];
  return [
    head,
    ...lines.flatMap((line): Span[][] => {
      const own: Span[] = [
        { text: fitText(line.label, name) },
        { text: fitText(line.value, value), style: { bold: true } },
        { text: fitText(line.interval, interval), style: { dim: true } },
      ];
      if (line.verdict === null) return [own];
      const difference: Span = {
        text: `${line.difference} (${line.differenceInterval}), ${VERDICT_LABELS[line.verdict]}`,
        style: VERDICT_STYLES[line.verdict],
      };
      if (isWide) return [[...own, { text: fitText(line.against ?? '', value) }, difference]];
      return [own, [{ text: '  ' }, difference]];
    }),
  ];
}

const LEAST_CELL = 5;

/** As many columns as there is room for; a label's column is named by its number beside the label. */
function matrixRows({ columns, rows }: ReturnType<typeof matrixOf>, width: number): Span[][] {
  const most = Math.max(...rows.map(({ label }) => displayWidth(label)), 8);
  const name = Math.min(most + 4, Math.max(12, Math.floor(width / 3)));
  const room = Math.max(1, Math.floor((width - name) / LEAST_CELL));
  const shown = columns.slice(0, room);
  const cell = Math.min(16, Math.floor((width - name) / shown.length));
  const numbered = columns.map((label, index) => (displayWidth(label) < cell ? label : `${index + 1}`));
  const isNumbered = numbered.some((label, index) => label !== columns[index]);
  const left = columns.length - shown.length;
  return [
    [
      { text: fitText('Expected', name), style: { dim: true } },
      ...shown.map((_, index) => ({ text: fitText(numbered[index]!, cell, 'right'), style: { dim: true } })),
    ],
    ...rows.map(({ label, cells }: MatrixRow, index): Span[] => [
      { text: fitText(isNumbered ? `${index + 1} ${label}` : label, name) },
      ...cells.slice(0, shown.length).map(
        ({ count, isRight, share }): Span => ({
          text: fitText(String(count), cell, 'right'),
          style: count === 0 ? { dim: true } : { tone: isRight ? 'completed' : 'failed', bold: share >= 0.5 },
        }),
      ),
    ]),
    ...(isNumbered && columns.length > rows.length && shown.length === columns.length
      ? [[{ text: `${columns.length}: ${columns.at(-1)}`, style: { dim: true } }]]
      : []),
    ...(left > 0 ? [[{ text: `${left} more columns do not fit.`, style: { dim: true } }]] : []),
  ];
}

const ROW = 8;
const SCORE = 20;

const CHANGE_STYLES: Readonly<Record<NonNullable<EvaluationRowFigures['change']>, Style>> = {
  better: { tone: 'completed' },
  worse: { tone: 'failed' },
  same: {},
};

const oneLine = (text: string) => text.slice(0, 1000).replaceAll(/\s+/g, ' ');
const basisWidth = (width: number) => Math.max(8, Math.floor((width - ROW - SCORE) * 0.35));

export function evaluationRowTitles(evaluation: Evaluation, width: number): string {
  return ` ${'Row'.padEnd(ROW)}${'Score'.padEnd(SCORE)}${basisLabel(evaluation).padEnd(basisWidth(width) + 2)}Answer`;
}

export function evaluationRowCells(row: EvaluationRow, evaluation: Evaluation, width: number): Span[] {
  const figures = evaluationRowFigures(row, evaluation);
  const { change, score, basis, answer, isAnswered } = figures;
  const spans: Span[] = [
    { text: ` ${fitText(figures.row, ROW)}`, style: { dim: true } },
    { text: fitText(score, SCORE), style: change ? CHANGE_STYLES[change] : {} },
    { text: `${fitText(oneLine(basis), basisWidth(width))}  `, style: { dim: true } },
    { text: oneLine(answer), style: isAnswered ? {} : { tone: 'warning' } },
  ];
  return fitSpans(spans, width);
}

/** What was asked, expected and answered, in full. */
export function evaluationRowDetail(row: EvaluationRow, evaluation: Evaluation, width: number): Span[][] {
  const { input, basis, answer, against } = evaluationRowFigures(row, evaluation);
  const parts = [
    ['input', input, true],
    ...(basis === '' ? [] : [[basisLabel(evaluation).toLowerCase(), basis, false] as const]),
    ...(against === null ? [] : [['compared', against, true] as const]),
    ['answer', answer, false],
  ] as const;
  return parts.flatMap(([name, text, dim]) =>
    paragraphRows(`${name}: ${text}`, width).map((part): Span[] => [{ text: part, style: { dim } }]),
  );
}
