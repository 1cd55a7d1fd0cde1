// Runs for other tools: TensorBoard, Weights & Biases and MLflow.
export { type SentRun, sendToMlflow } from './mlflow.js';
export { collectRows, measuredRows, type RunRecord } from './run-record.js';
export { tfeventsName, toTfevents } from './tfevents.js';
export { openServer } from './tracking-server.js';
export { sendToWandb } from './wandb.js';
