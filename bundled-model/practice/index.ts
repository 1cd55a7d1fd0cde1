// Example data sets for tuning adapters of the base model. Each row is generated from a number; held-out rows are kept
// apart.
export { measureOverlap } from './overlap/index.js';
export {
  PRACTICE_NAMES,
  type PracticeName,
  type PracticeRow,
  practiceRows,
  type Side,
  scoreContent,
  scoreExact,
} from './rows.js';
