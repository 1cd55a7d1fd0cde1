// An evaluation's rows as both faces list them: worst first, with both answers of a comparison.
import type { Evaluation, EvaluationRow } from '../../contract/index.js';
import { formatCount, formatDuration, formatNumber, plural } from '../text/format.js';
import { scoreValueText } from './figures.js';

export interface EvaluationRowFigures {
  readonly row: string;
  readonly input: string;
  /** What its score is based on: what was expected, or the parts of its reward. */
  readonly basis: string;
  /** What was answered, or why there is no answer. */
  readonly answer: string;
  readonly isAnswered: boolean;
  readonly against: string | null;
  /** The main score, `0.0 % → 100.0 %` in a comparison. */
  readonly score: string;
  readonly change: 'better' | 'worse' | 'same' | null;
  readonly time: string | null;
}

export function evaluationRowFigures(row: EvaluationRow, evaluation: Evaluation): EvaluationRowFigures {
  const main = mainScore(evaluation);
  const text = ({ scores }: Pick<EvaluationRow, 'scores'>) => {
    const value = scores[main.name];
    return value === undefined ? '–' : scoreValueText(value, main.kind);
  };
  const { against } = row;
  return {
    row: formatCount(row.row),
    input: row.input,
    basis: evaluation.task.kind === 'reward' ? rewardBasis(row) : row.expected,
    answer: row.answer ?? row.error ?? 'no answer',
    isAnswered: row.answer !== null,
    against: against ? (against.answer ?? against.error ?? 'no answer') : null,
    score: against ? `${text(against)} → ${text(row)}` : text(row),
    change: against ? changeOf(row, against, main) : null,
    time: row.latencyMs === undefined ? null : formatDuration(row.latencyMs),
  };
}

/** Of the column with what scores are based on. */
export function basisLabel({ task }: Pick<Evaluation, 'task'>): string {
  return task.kind === 'reward' ? 'Parts' : 'Expected';
}

/** `right 1, brief 0.5`, or why there is no reward. */
function rewardBasis({ scores, answer, error }: EvaluationRow): string {
  if (answer !== null && error !== undefined) return `no reward: ${error}`;
  const parts = Object.entries(scores).filter(([name]) => name.startsWith(PART));
  return parts.map(([name, value]) => `${name.slice(PART.length)} ${formatNumber(value)}`).join(', ');
}

const PART = 'reward.';

type Main = Pick<Evaluation['scores'][number], 'name' | 'kind'>;

function mainScore({ scores, comparison }: Evaluation): Main {
  const compared = comparison?.scores[0];
  return compared ? { name: compared.score, kind: compared.kind } : scores[0]!;
}

function changeOf(
  { scores }: EvaluationRow,
  against: NonNullable<EvaluationRow['against']>,
  { name, kind }: Main,
): EvaluationRowFigures['change'] {
  const [one, other] = [scores[name], against.scores[name]];
  if (one === other || one === undefined || other === undefined) return 'same';
  return one > other === (kind !== 'distance') ? 'better' : 'worse';
}

/** Above the list: which rows these are. */
export function evaluationRowsTitle(
  { kept, comparison, data }: Pick<Evaluation, 'kept' | 'comparison' | 'data'>,
  onlyChanged: boolean,
): string {
  if (onlyChanged && comparison) return `${plural(kept.changed, 'changed answer')}, worst first`;
  const part = kept.rows < data.rows ? ` of ${formatCount(data.rows)}` : '';
  return `${formatCount(kept.rows)}${part} ${data.rows === 1 ? 'row' : 'rows'}, worst first`;
}

export function noEvaluationRows(onlyChanged: boolean): string {
  return onlyChanged ? 'Both answered the same.' : 'No rows are kept.';
}
