// Example data sets for tuning adapters of the base model. Each row is generated from a number; held-out rows are kept
// apart.

export { countingPrompts } from './counting.js';
export { measureOverlap } from './overlap/index.js';
export {
  PRACTICE_NAMES,
  type PracticeName,
  type PracticeRow,
  practiceRows,
  scoreContent,
  scoreExact,
} from './rows.js';
export type { Side } from './sides.js';
export { isKind, tonePairs } from './tone/index.js';
