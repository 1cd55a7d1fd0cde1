// The part of the SDK that programs import. Its types do not depend on Node's.
export { type ConnectOptions, connectCloud, connectStudio } from './connect.js';
export {
  type AdapterConnectOptions,
  connectAdapter,
  connectTask,
  type PackagedAdapter,
  type PlainQuestion,
  type TaskConnectOptions,
} from './connect-task.js';
export {
  type DistilAnswerContext,
  type DistilledData,
  type DistilOptions,
  type DistilPrompt,
  type DistilSoft,
  type DistilTeacher,
  distil,
} from './distil/options.js';
export { createService, type Service, type ServiceOptions } from './service.js';
export type {
  CheckpointContext,
  CompletedContext,
  DatasetInput,
  DpoMethod,
  GrpoMethod,
  Infer,
  InferInput,
  LoraOptions,
  MapRow,
  Reward,
  RewardContext,
  RewardFunction,
  StartFrom,
  TrainerCallbacks,
  TrainerOptions,
  TrainerResult,
} from './trainer/options.js';
export { type RewardScoreOptions, scoreReward } from './trainer/score-reward.js';
export { type CallScoreOptions, scoreCalls, scoreTask, type TaskScoreOptions } from './trainer/score-rows.js';
export { type Sweep, type SweepGrid, sweep } from './trainer/sweep.js';
export { createTrainer, type Trainer } from './trainer/trainer.js';
