// Starts the engine's processes.
export { type ServingProcess, startServing } from './start-serving.js';
export { startTraining, type TrainingRun } from './start-training.js';
export { startWorker, type WorkerProcess } from './worker-process.js';
