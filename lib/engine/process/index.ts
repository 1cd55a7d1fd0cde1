// Starts the engine's processes.
export type { ServeTask, ToWorker } from './messages.js';
export { readOutput, writeOutput } from './output-text.js';
export { type ServingProcess, startServing } from './start-serving.js';
export { startTraining, type TrainingRun } from './start-training.js';
export type { HeartbeatLimits } from './watch-heartbeat.js';
export { GRACE_MS, type ProcessEnd, startWorker, type WorkerProcess } from './worker-process.js';
