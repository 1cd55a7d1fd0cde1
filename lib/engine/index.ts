// The door of the engine: starts processes that train, that serve and that read files of rows. It never loads ONNX
// Runtime itself.
export { type FileReader, startFileReader } from './files/index.js';
export type { FinishReason, Piece, TokenLogprob, Usage } from './generate/index.js';
export { downloadModel, isModelId, type ModelDownload, ModelDownloadError } from './hub/index.js';
export { ModelError, openModel, parseModelConfig } from './model/index.js';
export {
  type ServingProcess,
  startServing,
  startTraining,
  type TrainingRun,
} from './process/index.js';
export {
  type ChatTask,
  type EngineEvent,
  EngineFault,
  type FinalStatus,
  type Message,
  type ServedModel,
  type ServeTask,
  type TrainTask,
  type WeightPrecision,
} from './process/messages.js';
export { TELEMETRY_OFF } from './telemetry.js';
export { type DataFile, DatasetError, type FileFormat } from './train/data/index.js';
