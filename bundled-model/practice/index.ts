// Example data sets that adapters of the base model are tuned on: made from numbers, their held-out rows kept apart.
export { measureOverlap, type Overlap, type TextOverlap } from './overlap/index.js';
export {
  PRACTICE_NAMES,
  type PracticeName,
  type PracticeRow,
  practiceRows,
  type Side,
  scoreContent,
  scoreExact,
} from './rows.js';
