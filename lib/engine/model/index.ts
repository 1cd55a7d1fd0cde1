// Entry point of the models: their configs, their weights, and the graphs built from them.

export { GROUPS, MODULES, type Module } from '../weights/index.js';
export type { NormPlace } from './architecture.js';
export { ARCHITECTURES } from './architectures.js';
export {
  type CacheShape,
  cacheName,
  cacheShapeOf,
  type LayerState,
  stateName,
} from './cache-shape.js';
export { type ModelConfig, parseModelConfig, tellNeeds, withLayers } from './config.js';
export {
  buildDecodingGraph,
  FRESH_ROWS,
  groupName,
  groupSizes,
  maskName,
  ODDS_READ,
  ROWS_AT,
  rankScalesName,
} from './decoding-graph.js';
export {
  GRADIENTS,
  GRADIENTS_BEFORE,
  gradientOf,
  type NamedShape,
  PARAMETERS,
  type ParameterForm,
} from './flat-parameters.js';
export { attentionOf, windowsOf } from './layers.js';
export {
  adapterName,
  type DropoutGroup,
  dropoutInputs,
  type LoraShape,
  loraParameters,
  type Parameter,
} from './lora-parameters.js';
export {
  listTargetModules,
  type ModelSource,
  openModel,
  openModelAdapter,
  readModelConfig,
  readModelSettings,
} from './open-model.js';
export { turnedWidth } from './rope-settings.js';
export { firstPosition, frequenciesOf, longestText } from './rope-tables.js';
export {
  buildHeadGraph,
  buildLayersGraph,
  buildLogitsGraph,
  buildPretrainingGraph,
  buildTrainingGraph,
  DELTA_CHUNK,
  STREAM,
  type TrainingGraph,
  toLineInputs,
  toStreamInput,
  weightParameters,
} from './training-graph.js';
export {
  DIVERGENCES,
  LABEL_LOSSES,
  type PolicyShape,
  type PreferenceShape,
  type SoftShape,
} from './training-loss.js';
export {
  EMBEDDING,
  layerModules,
  matrixGroups,
  moduleShape,
  OUTPUT,
  outputName,
  targetNames,
  weightShapes,
} from './weight-names.js';
export {
  float32Weights,
  halfWeights,
  storedWeights,
  type WeightLocation,
  type WeightSource,
  type Weights,
} from './weight-source.js';
