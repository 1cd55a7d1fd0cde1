// The door of the engine's processes.
export { findProgram } from './find-program.js';
export { type ServingProcess, startServing } from './start-serving.js';
export { startTraining, type TrainingRun } from './start-training.js';
