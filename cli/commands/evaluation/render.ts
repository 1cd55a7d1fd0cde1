// An evaluation as text: scores with intervals, the verdict, the matrix of labels, and the rows worth reading.
import {
  basisLabel,
  changedText,
  evaluationFacts,
  evaluationRowFigures,
  evaluationRowsTitle,
  GATE_OUTCOME_LABELS,
  gateView,
  matrixOf,
  type ScoreLine,
  scoreLines,
  VERDICT_LABELS,
  verdictText,
} from '../../../lib/console/index.js';
import type {
  ComparedScore,
  ConfusionMatrix,
  Evaluation,
  EvaluationRow,
} from '../../../lib/contract/index.js';
import type { Screen } from '../../screen.js';
import { type Style, toSafeLine } from '../../style.js';
import { type Column, renderFacts, renderTable } from '../terminal/table.js';

/** How many rows the text, and the report, shows. */
export const SHOWN_ROWS = 10;
export const REPORTED_ROWS = 50;
/** How much of a question or an answer a table shows at most. */
const MOST_TEXT = 60;

export function renderEvaluation(
  evaluation: Evaluation,
  rows: readonly EvaluationRow[],
  screen: Screen,
): string {
  const { style } = screen;
  const { comparison, confusion, id } = evaluation;
  const compared = comparison?.scores[0];
  const facts = evaluationFacts(evaluation).map(({ label, value }) => [label, value] as const);
  const parts = [
    renderFacts([['ID', id], ...facts], style),
    ...renderGate(evaluation, style),
    ...(compared
      ? [`${paintVerdict(verdictText(compared), compared.verdict, style)}\n${changedText(compared)}\n`]
      : []),
    renderTable(scoreColumns(evaluation, style), scoreLines(evaluation), screen),
    ...(confusion ? [renderMatrix(confusion, screen)] : []),
    ...(rows.length > 0
      ? [
          `${style.bold(evaluationRowsTitle(evaluation, comparison !== null))}\n${renderRows(evaluation, rows, screen)}`,
        ]
      : []),
  ];
  return parts.join('\n');
}

function renderGate(evaluation: Evaluation, style: Style): string[] {
  const gate = gateView(evaluation);
  if (!gate) return [];
  const paint = { passed: style.green, failed: style.red, skipped: style.dim };
  const lines = gate.lines.map(({ label, outcome, text }) => {
    const word = paint[outcome](GATE_OUTCOME_LABELS[outcome].padEnd(8));
    return `${label.padEnd(14)}  ${word}  ${toSafeLine(text)}\n`;
  });
  return [`${style.bold(toSafeLine(gate.title))}\n${lines.join('')}`];
}

export function paintVerdict(text: string, verdict: ComparedScore['verdict'], style: Style): string {
  const safe = toSafeLine(text);
  if (verdict === 'no_difference_found') return safe;
  return verdict === 'better' ? style.green(safe) : style.red(safe);
}

function scoreColumns({ comparison }: Evaluation, style: Style): Column<ScoreLine>[] {
  const own: Column<ScoreLine>[] = [
    { title: 'Score', text: ({ label }) => label, least: 8 },
    { title: 'Value', text: ({ value }) => value },
    { title: '95 % interval', text: ({ interval }) => interval },
  ];
  if (!comparison) return [...own, { title: 'Rows', text: ({ rows }) => String(rows) }];
  return [
    ...own,
    { title: 'Compared', text: ({ against }) => against ?? '' },
    { title: 'Difference', text: ({ difference }) => difference ?? '' },
    { title: '95 % interval', text: line => line.differenceInterval ?? '', spare: true },
    {
      title: 'Verdict',
      text: ({ verdict }) => (verdict ? VERDICT_LABELS[verdict] : ''),
      paint: (text, { verdict }) => (verdict ? paintVerdict(text, verdict, style) : text),
    },
  ];
}

function renderMatrix(confusion: ConfusionMatrix, screen: Screen): string {
  const { style } = screen;
  const { columns, rows } = matrixOf(confusion);
  const table = renderTable(
    [
      { title: 'Expected \\ answered', text: ({ label }) => label, least: 8 },
      ...columns.map(
        (title, index): Column<(typeof rows)[number]> => ({
          title,
          text: ({ cells }) => String(cells[index]!.count),
          least: 4,
          paint: (text, { cells }) => {
            const { count, isRight } = cells[index]!;
            if (count === 0) return style.dim(text);
            return isRight ? style.green(text) : style.red(text);
          },
        }),
      ),
    ],
    rows,
    screen,
  );
  return table;
}

function renderRows(evaluation: Evaluation, rows: readonly EvaluationRow[], screen: Screen): string {
  const { style } = screen;
  type Figures = ReturnType<typeof evaluationRowFigures>;
  const columns: Column<Figures>[] = [
    { title: 'Row', text: ({ row }) => row },
    {
      title: 'Score',
      text: ({ score }) => score,
      paint: (text, { change }) => {
        if (change === 'better') return style.green(text);
        return change === 'worse' ? style.red(text) : text;
      },
    },
    { title: basisLabel(evaluation), text: ({ basis }) => basis, least: 8, most: MOST_TEXT },
    ...(evaluation.comparison
      ? [{ title: 'Compared', text: ({ against }: Figures) => against ?? '', least: 8, most: MOST_TEXT }]
      : []),
    { title: 'Answer', text: ({ answer }) => answer, least: 8, most: MOST_TEXT },
    { title: 'Input', text: ({ input }) => input, least: 8, most: MOST_TEXT, spare: true, paint: style.dim },
  ];
  return renderTable(
    columns,
    rows.map(row => evaluationRowFigures(row, evaluation)),
    screen,
  );
}
