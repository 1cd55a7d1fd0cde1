// Limits the cost of compiling a pattern. Expensive ones are rejected, so that they do not block other requests.
import { PatternError } from './pattern-error.js';

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
