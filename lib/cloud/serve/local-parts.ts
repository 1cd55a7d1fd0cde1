// What makes a cloud one of this machine: its jobs and its answers come from processes here.
import type { CloudDeps } from '../deps.js';
import { createLocalBackend } from '../inference/local-backend.js';
import { createLocalRunner } from '../jobs/index.js';

export function createLocalParts(
  { folder }: CloudDeps['baseModel'],
  log: CloudDeps['log'],
): Pick<CloudDeps, 'runner' | 'backend'> {
  return { runner: createLocalRunner(), backend: createLocalBackend({ modelFolder: folder, log }) };
}
