// The parts of a local cloud: jobs and chats run in processes on this machine.
import type { WeightPrecision } from '../../engine/index.js';
import type { CloudDeps } from '../deps.js';
import { createLocalBackend } from '../inference/local-backend.js';
import { createLocalRunner } from '../jobs/index.js';

interface LocalParts {
  baseModel: CloudDeps['baseModel'];
  weights: WeightPrecision;
  log: CloudDeps['log'];
}

export function createLocalParts({
  baseModel,
  weights,
  log,
}: LocalParts): Pick<CloudDeps, 'runner' | 'backend'> {
  return {
    runner: createLocalRunner({ weights }),
    backend: createLocalBackend({ modelFolder: baseModel.folder, weights, log }),
  };
}
