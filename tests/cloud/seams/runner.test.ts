// The runners of this package: in processes on this machine, and on a Ray cluster whose workers are scripted.
import { afterAll, beforeAll } from 'vitest';
import { createLocalRunner } from '../../../lib/cloud/host/local-parts.js';
import { createClusterReader, createRayClient, createRayRunner } from '../../../lib/cloud/ray/index.js';
import type { JobRunner } from '../../../lib/cloud/seams/runner.js';
import { createHurriedClock } from '../../support/hurried-clock.js';
import { openScriptedRay, type ScriptedRay } from '../ray/scripted-ray.js';
import { letWorkersWork } from '../ray/scripted-worker.js';
import { describeRunner } from './describe-runner.js';

const clock = createHurriedClock(10);
let ray: ScriptedRay;
let close = () => {};
beforeAll(async () => {
  ({ ray, close } = await openScriptedRay());
  letWorkersWork(ray);
});
afterAll(() => close());

async function makeRayRunner(): Promise<JobRunner> {
  const client = createRayClient(ray);
  return createRayRunner({
    client,
    readCluster: createClusterReader(client, clock),
    readPackage: async () => ({ sha256: 'f'.repeat(64), bytes: new Uint8Array([1]) }),
    log: () => {},
    clock,
  });
}

describeRunner('a runner on this machine', async () => createLocalRunner(), {
  hasRecord: true,
  learnsFromRewards: true,
});
describeRunner('a runner on Ray with scripted workers', makeRayRunner);
