// Training, from a request to an iterable of events.

export { type AnswerSpeeds, compareAnswers, measureAnswers } from './device/answers.js';
export { HalfRangeError } from './device/half-weights.js';
export { findLargestBuffer } from './device/largest-buffer.js';
export { readAnswerLimits } from './device/limits.js';
export { compareOperators, type OperatorFinding } from './device/operators.js';
export { createRandomModel, USUAL_MODEL } from './device/random-model.js';
export { type Comparison, compareTraining, measureSpeed } from './device/training.js';
export { describeAdapter, type SavedAdapter } from './digests.js';
export { decideWeights, openWeights } from './open-weights.js';
export type { Example } from './packing.js';
export { GpuMemoryError } from './pass-plan.js';
export { prepareTraining, type TokenTrainRequest, type TrainRequest } from './prepare.js';
export { exportModel, pretrain } from './pretrain.js';
export type { Score } from './rewards/objective.js';
export type { Preparing } from './row-sweep.js';
export { OtherRunError } from './start-run.js';
export { NotFiniteError } from './take-step.js';
export type { TokenFiles } from './tokens.js';
export { type TrainJob, train } from './trainer.js';
export type { TrainEvent } from './training-loop.js';
