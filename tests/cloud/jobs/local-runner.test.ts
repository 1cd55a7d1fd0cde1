// What the runner on this machine does beyond what all runners do.
import { rm } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLocalRunner } from '../../../lib/cloud/jobs/local-runner.js';
import { startServer } from '../../engine/train/data/web-server.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { openTestJobs } from './test-jobs.js';

it("its trainers do not get the Hub token from the cloud's environment", async () => {
  const hub = await startServer((_, response) => response.writeHead(404).end('{}'));
  vi.stubEnv('HF_TOKEN', 'hf_of_the_cloud');
  vi.stubEnv('HF_ENDPOINT', hub.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const modelFolder = await makeModelFolder();
  onTestFinished(() => rm(modelFolder, { recursive: true }));
  const cloud = await openTestJobs(createLocalRunner(), { modelFolder });
  onTestFinished(() => cloud.close());
  await cloud.jobs.start();
  const { id } = await cloud.create({ datasetSource: { type: 'huggingface', name: 'some/rows' } });
  expect((await cloud.until(id, 'failed')).error).toContain('some/rows');
  expect(hub.requests.length).toBeGreaterThan(0);
  expect(hub.requests.map(({ headers }) => headers.authorization)).toEqual(hub.requests.map(() => undefined));
});
