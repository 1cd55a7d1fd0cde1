// The weights on disk: safetensors and LoRA adapters in PEFT's layout, read and written. Knows files, not models.
export { type AdapterConfig, toScaling } from './adapter-config.js';
export type { FloatDtype, SafetensorsDtype } from './dtype.js';
export type { TensorToWrite } from './encode-safetensors.js';
export { type LoraModule, type LoraSite, loraModules, toModulePath } from './lora-module.js';
export { openWeights, openWeightsFile } from './open-weights.js';
export { type AdaptedModel, type Adapter, type LoraPair, readAdapter } from './read-adapter.js';
export { parseSafetensorsHeader, type SafetensorsHeader } from './safetensors-header.js';
export type { TensorInfo } from './tensor-info.js';
export { transpose } from './transpose.js';
export { readNumbers, type WeightFiles, type WeightTensor } from './weight-files.js';
export { WeightsError } from './weights-error.js';
export { type AdapterToWrite, writeAdapter } from './write-adapter.js';
export { writeSafetensors } from './write-safetensors.js';
