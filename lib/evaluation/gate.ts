// Whether an endpoint may serve something new: it does not lose against what is served now, nor what the base model could do.
import type { ComparedScore, EvaluationInput, Gate, GateCheck } from '../contract/index.js';
import { judgeMargin } from './compare-scores.js';

type Outcome = GateCheck['outcome'];

/**
 * Without a margin, it fails if a loss was found. With one, it passes only if the whole interval lies above that loss: too few
 * rows fail.
 */
export function judgeComparison(compared: ComparedScore, margin: number | null): Outcome {
  const holds = margin === null ? compared.verdict !== 'worse' : judgeMargin(compared, margin) === 'within';
  return holds ? 'passed' : 'failed';
}

/** A check that was made elsewhere, or why it was not made. */
export type OtherCheck = GateCheck & { readonly check: 'tests' | 'general' };

/** The verdict on an evaluation that compares a candidate with what is served. */
export function buildGate(
  { comparison }: Pick<EvaluationInput, 'comparison'>,
  { margin, trial }: Pick<Gate, 'margin' | 'trial'>,
  others: readonly OtherCheck[],
): Gate {
  const compared = comparison?.scores[0];
  const rows: GateCheck = compared
    ? { check: 'rows', outcome: judgeComparison(compared, margin) }
    : { check: 'rows', outcome: 'failed', note: 'No row has a score of both.' };
  const isOf = (name: GateCheck['check']) => (other: OtherCheck) => other.check === name;
  const checks = [...others.filter(isOf('tests')), rows, ...others.filter(isOf('general'))];
  const passed = checks.every(({ outcome }) => outcome !== 'failed');
  return { passed, movesFollowers: trial === undefined, ...(trial && { trial }), margin, checks };
}
