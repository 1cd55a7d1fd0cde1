// A worker elsewhere whose disk is full: the job waits, and says whose disk it is.
import { rm } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { JobRunner, WorkerEnd } from '../../../lib/cloud/seams/runner.js';
import type { Claim, Job } from '../../../lib/contract/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { openRunHost } from '../seams/run-host.js';

async function post<T>(url: string, token: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as T;
}

/** Its workers claim, and report this. */
const reporting = (report: object): JobRunner => ({
  start(_, desk) {
    const ended = desk.admit().then(async attempt => {
      const about = { worker: '10.0.0.7', pid: 1, versions: {}, gpus: 0 };
      const { token } = await post<Claim>(`${attempt.url}/claim`, attempt.claimToken!, about);
      await post(`${attempt.url}/report`, token, { from: 0, events: [], ...report });
      return { exitCode: 0, signal: null, ...((await attempt.ended) as WorkerEnd) } as never;
    });
    return { ended, cancel() {}, pause() {}, kill() {} };
  },
});

it('is named while the job waits for it', async () => {
  const modelFolder = await makeModelFolder();
  onTestFinished(() => rm(modelFolder, { recursive: true }));
  const ended = { status: 'interrupted', diskFault: 'ENOSPC' };
  const host = await openRunHost(reporting({ ended }), modelFolder);
  onTestFinished(() => host.close());
  const datasetId = await host.test.upload('{"prompt":"a","completion":"b"}');
  const { id } = await host.test.create({ datasetSource: { type: 'upload', datasetId } });
  const seen = new Set<string | null>();
  await until(async () => {
    seen.add((await host.test.json<{ job: Job }>('GET', `/v1/jobs/${id}`)).job.waitingFor);
    return [...seen];
  }).toContain('The disk of 10.0.0.7, where the job runs, is full.');
  expect([...seen].join()).not.toContain("cloud's disk");
});
