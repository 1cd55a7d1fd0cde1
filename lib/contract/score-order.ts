// Which of two scores is better. Without schemas, since pages in the browser ask.
import type { BestBy } from './score.js';

/** Whether a score is better than another, or as good. */
export function isAtLeastAsGood(value: number, other: number, { higher = true }: BestBy): boolean {
  return higher ? value >= other : value <= other;
}
