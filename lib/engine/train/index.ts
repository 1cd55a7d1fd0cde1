// The door of training: from a request to an iterable of what happens.
export { describeAdapter, type SavedAdapter } from './artifact.js';
export type { DataSource } from './data/index.js';
export { TRAIN_DEFAULTS, type TrainOptions } from './options.js';
export { type Prepared, prepareTraining, type TrainRequest } from './prepare.js';
export { type TrainEvent, type TrainJob, train } from './trainer.js';
