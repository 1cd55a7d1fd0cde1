// Entry point of training on pairs of answers.
export { createPreferenceEvaluator } from './evaluate.js';
export { createPreferenceObjective } from './objective.js';
export { toPairPass, toShape } from './pairs.js';
