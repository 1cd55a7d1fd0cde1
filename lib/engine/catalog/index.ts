// Entry point of what is known of a base model without running it.
export { describeModel, type ModelFacts } from './describe-model.js';
