// What the engine's process and its parent say to each other.
import type { TrainRequest } from './train/index.js';

export interface TrainTask {
  type: 'train';
  jobId: string;
  request: Omit<TrainRequest, 'signal'>;
  /** One step only, to see that everything fits. */
  dryRun?: boolean;
}

export type ToWorker = TrainTask | { type: 'cancel' };

export type FinalStatus = 'completed' | 'failed' | 'cancelled';

/** Events are those of the contract; the parent knows their shapes. */
export interface EngineEvent {
  type: string;
  jobId: string;
  timestamp: string;
  [field: string]: unknown;
}

export type FromWorker = { type: 'event'; event: EngineEvent } | { type: 'done'; status: FinalStatus };
