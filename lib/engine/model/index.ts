// Entry point of the models: their configs, their weights, and the graphs built from them.
export { type ModelConfig, parseModelConfig } from './config.js';
export { buildDecodingGraph, cacheName, groupName, MODULE_GROUPS, rankScalesName } from './decoding-graph.js';
export {
  adapterName,
  type DropoutGroup,
  dropoutInputs,
  type LoraShape,
  loraParameters,
  type Parameter,
} from './lora-parameters.js';
export { type ModelSource, openModel, openModelAdapter, readModelConfig } from './open-model.js';
export { longestText } from './rope-tables.js';
export {
  buildLogitsGraph,
  buildPretrainingGraph,
  buildTrainingGraph,
  gradientOf,
  LABEL_LOSSES,
  type LineInputs,
  type PreferenceShape,
  type TrainingGraph,
  toLineInputs,
  weightParameters,
} from './training-graph.js';
export { EMBEDDING, MODULES, type Module, moduleShape, OUTPUT, weightShapes } from './weight-names.js';
export { storedWeights, type WeightLocation, type WeightSource, type Weights } from './weight-source.js';
