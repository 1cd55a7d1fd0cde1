// Limits the cost of compiling a pattern. Expensive ones are rejected, so that they do not block other requests.

/** An expression that is invalid or unsupported. */
export class PatternError extends Error {}
const MOST_STEPS = 4_000_000;

export type Budget = (steps: number) => void;

export function createBudget(): Budget {
  let left = MOST_STEPS;
  return steps => {
    left -= steps;
    if (left < 0) throw tooComplex();
  };
}

export const tooComplex = () => new PatternError('a pattern has too many states to be enforced');
