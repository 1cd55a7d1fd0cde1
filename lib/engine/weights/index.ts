// Entry point of weights on disk: reads and writes safetensors files and LoRA adapters in PEFT's layout. It does not
// know models.
export type { AdapterConfig } from './adapter-config.js';
export { narrow, transpose, widen } from './convert.js';
export { type LoraSite, listEnds, toModulePath, toTensorName } from './lora-module.js';
export { listFormats, openWeights, openWeightsFile, staysInFolder } from './open-weights.js';
export {
  findModule,
  GROUPS,
  type LayerModules,
  MODULES,
  type Module,
  type ModuleGroup,
  PROJECTIONS,
  type TargetName,
  toTargetName,
  type Width,
} from './projections.js';
export {
  type AdaptedModel,
  type LoraPair,
  type OpenedAdapter,
  openAdapter,
  readAdapter,
} from './read-adapter.js';
export { readPiece, readPieces, withFile } from './read-file.js';
export { encodeSafetensorsHeader, type FloatDtype, parseSafetensorsHeader } from './safetensors-header.js';
export { readNumbers, type WeightTensor } from './weight-files.js';
export { quote, WeightsError } from './weights-error.js';
export { copyAdapterInside, writeAdapter } from './write-adapter.js';
export { writeSafetensors } from './write-safetensors.js';
