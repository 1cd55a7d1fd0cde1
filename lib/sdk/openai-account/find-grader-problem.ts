// Whether svc has what a grader of the account needs.
import { findFault, type Grader, grader } from '../../contract/index.js';
import { findGraderFault } from '../../grading/index.js';

/** Null if it can give rewards here. */
export function findGraderProblem(given: unknown): string | null {
  if (given === null) return 'it has none.';
  return findFault(grader, given, 'It') ?? findGraderFault(given as Grader)?.message ?? null;
}
