// The door of the engine: starts processes that train and that serve, and looks into files of rows. It never loads ONNX
// Runtime itself.
export { findDiskFault } from './disk/index.js';
export type { FinishReason, Piece, TokenLogprob, Usage } from './generate/index.js';
export { downloadModel, isModelId, type ModelDownload, ModelDownloadError } from './hub/index.js';
export { ModelError, openModel, parseModelConfig } from './model/index.js';
export {
  findProgram,
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
  type WeightForm,
} from './process/messages.js';
export {
  countRows,
  type DataFile,
  DatasetError,
  type FileFormat,
  openBlob as downloadBlob,
} from './train/data/index.js';
