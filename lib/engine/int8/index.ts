// Entry point of int8 weights: models with rounded matrices, and which models have them.
export { roundModel } from './round-model.js';
export type { IntegerForm } from './rounded-file.js';
export {
  keepWeightChoice,
  readWeightChoice,
  type WeightPrecision,
  type WeightSetting,
} from './weight-choice.js';
