// The door of the engine: starts processes that train and that serve, and never loads ONNX Runtime itself.
export type { FinishReason, Piece, TokenLogprob, Usage } from './generate/index.js';
export { type ServingProcess, startServing, startTraining, type TrainingRun } from './process/index.js';
export {
  type ChatTask,
  type EngineEvent,
  EngineFault,
  type FinalStatus,
  type Message,
  type ServedModel,
  type ServeTask,
  type TrainTask,
} from './process/messages.js';
