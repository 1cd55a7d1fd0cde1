// An evaluation as Markdown, for a pull request, and the verdict of a gate with the evaluations behind it.
import type { Evaluation, EvaluationRow } from '../../contract/index.js';
import { targetLabel } from '../labels.js';
import {
  changedText,
  evaluationFacts,
  matrixOf,
  scoreLines,
  VERDICT_LABELS,
  verdictText,
} from './figures.js';
import { GATE_OUTCOME_LABELS, gateView } from './gate.js';
import { basisLabel, evaluationRowFigures, evaluationRowsTitle } from './rows.js';

/** How the report of an evaluation begins. */
export const EVALUATION_TITLE = '# Evaluation';

/** `rows`: those to show, worst first. */
export function evaluationReport(evaluation: Evaluation, rows: readonly EvaluationRow[]): string {
  return join([EVALUATION_TITLE, ...gateParts(evaluation), ...sections(evaluation, rows, '##')]);
}

interface ReportedEvaluation {
  readonly evaluation: Evaluation;
  /** Those to show, worst first. */
  readonly rows: readonly EvaluationRow[];
}

/** What was decided, then what it was decided on. `done`: what became of it. */
export function shippingReport(
  held: ReportedEvaluation,
  general: ReportedEvaluation | null,
  done: string,
): string {
  const { endpoint, target } = held.evaluation.subject;
  return join([
    `# ${inlineMarkdown(`${endpoint}: ${targetLabel(target)}`)}`,
    `**${inlineMarkdown(done)}**`,
    ...gateParts(held.evaluation),
    '## Held-out rows',
    ...sections(held.evaluation, held.rows, '###'),
    ...(general
      ? [
          '## General rows, compared with the base model',
          ...sections(general.evaluation, general.rows, '###'),
        ]
      : []),
  ]);
}

const join = (parts: readonly string[]) => `${parts.join('\n\n')}\n`;

function gateParts(evaluation: Evaluation): string[] {
  const gate = gateView(evaluation);
  if (!gate) return [];
  const lines = gate.lines.map(({ label, outcome, text }) => [label, GATE_OUTCOME_LABELS[outcome], text]);
  return [`${inlineMarkdown(gate.title)}.`, table(['Check', 'Outcome', 'Why'], lines)];
}

function sections(evaluation: Evaluation, rows: readonly EvaluationRow[], heading: string): string[] {
  const { comparison, confusion } = evaluation;
  const compared = comparison?.scores[0];
  return [
    ...(compared ? [`**${verdictText(compared)}**`, `Rows: ${changedText(compared)}.`] : []),
    evaluationFacts(evaluation)
      .map(({ label, value }) => `- ${label}: ${inlineMarkdown(value)}`)
      .join('\n'),
    scoreTableText(evaluation),
    ...(confusion ? [`${heading} Expected (rows) and answered (columns)`, matrixTable(evaluation)] : []),
    ...(rows.length > 0
      ? [`${heading} ${evaluationRowsTitle(evaluation, comparison !== null)}`, rowTable(evaluation, rows)]
      : []),
  ];
}

/** The scores as a table in Markdown. */
export function scoreTableText(evaluation: Evaluation): string {
  const lines = scoreLines(evaluation);
  if (!evaluation.comparison)
    return table(
      ['Score', 'Value', '95 % interval', 'Rows'],
      lines.map(({ label, value, interval, rows }) => [label, value, interval, String(rows)]),
    );
  return table(
    ['Score', 'Value', '95 % interval', 'Compared', 'Difference', '95 % interval', 'Verdict'],
    lines.map(line => [
      line.label,
      line.value,
      line.interval,
      line.against ?? '',
      line.difference ?? '',
      line.differenceInterval ?? '',
      line.verdict ? VERDICT_LABELS[line.verdict] : '',
    ]),
  );
}

function matrixTable({ confusion }: Evaluation): string {
  const { columns, rows } = matrixOf(confusion!);
  return table(
    ['', ...columns],
    rows.map(({ label, cells }) => [label, ...cells.map(({ count }) => String(count))]),
  );
}

function rowTable(evaluation: Evaluation, rows: readonly EvaluationRow[]): string {
  const figures = rows.map(row => evaluationRowFigures(row, evaluation));
  const isCompared = evaluation.comparison !== null;
  return table(
    ['Row', 'Input', basisLabel(evaluation), ...(isCompared ? ['Compared answer'] : []), 'Answer', 'Score'],
    figures.map(({ row, input, basis, against, answer, score }) => [
      row,
      input,
      basis,
      ...(isCompared ? [against ?? ''] : []),
      answer,
      score,
    ]),
  );
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(inlineMarkdown).join(' | ')} |`;
  return [line(titles), `|${' --- |'.repeat(titles.length)}`, ...rows.map(line)].join('\n');
}

const LONGEST = 300;

/** One line that Markdown and HTML show as it is. */
export function inlineMarkdown(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return cut
    .replace(/\s+/gu, ' ')
    .replace(/[\\`*_[\]|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}
