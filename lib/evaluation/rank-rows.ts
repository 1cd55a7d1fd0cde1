// The order in which an evaluation's rows are read: worst first.
import type { ComparedScore, EvaluationRow, EvaluationScore } from '../contract/index.js';

/** Whether the answers of a comparison differ. */
export function isChanged({ answer, against }: EvaluationRow): boolean {
  return against !== undefined && against.answer !== answer;
}

/** In a comparison those that lose most come first, otherwise those with the worst score; then by their number. */
export function rankRows(
  rows: readonly EvaluationRow[],
  main: Pick<EvaluationScore, 'name' | 'kind'>,
  compared: Pick<ComparedScore, 'score' | 'kind'> | undefined,
): EvaluationRow[] {
  const { name, kind } = compared ? { name: compared.score, kind: compared.kind } : main;
  const sign = kind === 'distance' ? -1 : 1;
  /** A row without the score is as bad as can be. */
  const read = ({ scores }: Pick<EvaluationRow, 'scores'>) =>
    Object.hasOwn(scores, name) ? sign * scores[name]! : -Number.MAX_VALUE;
  const gain = (row: EvaluationRow) => (row.against ? read(row) - read(row.against) : read(row));
  const gains = new Map(rows.map(row => [row, gain(row)]));
  return rows.toSorted((one, other) => gains.get(one)! - gains.get(other)! || one.row - other.row);
}
