// The engine's public entry: starts the processes that train, serve and read data files. Never loads ONNX Runtime
// itself.
export { describeModel, type ModelFacts } from './catalog/index.js';
export { EngineError, type EngineErrorCode } from './engine-error.js';
export { chosenThreads, TELEMETRY_OFF } from './environment.js';
export {
  adapterForVllm,
  type Quantization,
  writeGgufAdapter,
  writeGgufModel,
  writeMergedModel,
  writeMlxAdapter,
} from './export/index.js';
export {
  type AskedWork,
  type CheckedAdapter,
  type FileReader,
  type PreviewedData,
  startFileReader,
} from './files/index.js';
export type {
  CallPiece,
  EchoedToken,
  EchoPiece,
  FinishReason,
  Piece,
  PromptUsage,
  TokenLogprob,
  Usage,
} from './generate/index.js';
export { MAX_BATCH, QUEUE_LIMIT } from './generate/turns.js';
export { convertGguf, GGUF_FORM } from './gguf/index.js';
export { downloadModel, downloadModelFile, isModelId, parseModelFile } from './hub/download-model.js';
export { readWeightChoice, type WeightSetting } from './int8/index.js';
export {
  findHubModel,
  findLocalModel,
  isLocalModel,
  isOllamaName,
  type LocalModel,
  type LocalPlaces,
  listLocalModels,
  pushToOllama,
  requireOllama,
} from './local-models/index.js';
export { listTargetModules, openModel, parseModelConfig } from './model/index.js';
export {
  type AskKind,
  type Asks,
  type Embedding,
  type EngineEvent,
  type Message,
  type ProbeTask,
  type RunFailureCode,
  type RunFile,
  type RunOutcome,
  readOutput,
  type ServeTask,
  type TrainTask,
} from './process/messages.js';
export { type DeviceProbe, type RunningProbe, startProbe } from './process/start-probe.js';
export { type ServingProcess, startServing } from './process/start-serving.js';
export { startTraining, startTrainingProgram, type TrainingRun } from './process/start-training.js';
export {
  ADAPTER_FILES,
  ADAPTER_TENSORS,
  checkpointName,
  checkpointStep,
  FINAL_FOLDER,
  isHubSnapshot,
  isRunWork,
  OWNER_FILE,
  REMOTE_FOLDER,
  REQUIRED_FILES,
  ROW_LOSSES,
  RUN_MANIFEST,
  RUN_RECORDS,
  STATE_FILES,
} from './run-layout.js';
export { NoTemplateError, TextError } from './text/errors.js';
export { DatasetError, type FileFormat } from './train/data/index.js';
export { describeAdapter, digestFile } from './train/digests.js';
export { pruneCheckpoints } from './train/kept-checkpoints.js';
export { areRowLossesValid } from './train/row-losses/read-row-losses.js';
export { staysInFolder, WeightsError } from './weights/index.js';
