// Starts the engine's processes.

export type { HeartbeatLimits } from './heartbeat.js';
export type { ServeTask, ToWorker } from './messages.js';
export { readOutput, writeOutput } from './messages.js';
export { type ServingProcess, startServing } from './start-serving.js';
export { startTraining, type TrainingRun } from './start-training.js';
export { GRACE_MS, type ProcessEnd, startWorker, type WorkerProcess } from './worker-process.js';
