// What any runner must do, by PyTorch in processes of this machine. The cluster has no part in it.
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';
import { createLocalRunner } from '../../lib/cloud/host/local-parts.js';
import { createTorchRunner } from '../../lib/cloud/host/torch-runner.js';
import { findPackage } from '../../lib/system/index.js';
import { describeRunner } from '../cloud/seams/describe-runner.js';

// The machine is shared with the cluster.
vi.stubEnv('SVC_THREADS', '1');
afterAll(() => vi.unstubAllEnvs());

const python = join(findPackage(), 'ray/.venv/bin/python');

describeRunner(
  'a runner on this machine, by PyTorch',
  async () => createTorchRunner(python, createLocalRunner()),
  { learnsFromRewards: true, isTestedApart: true },
);
