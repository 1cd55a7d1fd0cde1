// A cloud whose attempts are left to whoever claims them, and what a worker asks at its door.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createRunApi } from '../../../lib/cloud/runs/run-api.js';
import type { JobRunner, RemoteAttempt } from '../../../lib/cloud/seams/runner.js';
import type { Claim, Job, JobConfigInput, ReportResponse } from '../../../lib/contract/index.js';
import { toTarBlob } from '../../../lib/tar/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { openTestJobs, type TestJobs, type TestOptions } from '../jobs/test-jobs.js';

export const ABOUT = { worker: '10.0.0.7', pid: 1, versions: {}, gpus: 0 };
export const at = new Date(0).toISOString();
export const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Leaves every attempt to whoever claims it. */
function leaveAttempts() {
  const attempts: RemoteAttempt[] = [];
  const start: JobRunner['start'] = (_, desk) => {
    let leave = () => {};
    const left = new Promise<{ status: 'paused' }>(resolve => {
      leave = () => resolve({ status: 'paused' });
    });
    const ended = desk.admit().then(attempt => {
      attempts.push(attempt);
      const reported = attempt.ended.then(end => (end === 'lapsed' ? { status: 'failed' as const } : end));
      return Promise.race([reported, left]);
    });
    return {
      ended: ended.then(end => ({ exitCode: null, signal: null, ...end }) as never),
      cancel: () => attempts.at(-1)?.want('cancel'),
      pause: () => attempts.at(-1)?.want('pause'),
      kill: leave,
      detach: leave,
    };
  };
  return { runner: { start }, attempts };
}

/** For each test of a file: it opens a cloud, which is closed after it. */
export function cloudWithDoor() {
  let modelFolder: string;
  let cloud: TestJobs;
  beforeAll(async () => {
    modelFolder = await makeModelFolder();
  });
  afterEach(() => cloud.close());
  afterAll(() => rm(modelFolder, { recursive: true }));

  const door = {
    get cloud() {
      return cloud;
    },
    get modelFolder() {
      return modelFolder;
    },
    /** With a job for each of these data sets, whose attempts wait to be claimed, unless the cloud refuses them. */
    async open(
      rows: readonly string[],
      options: TestOptions = {},
      config: Partial<JobConfigInput> = {},
      { admits = true } = {},
    ) {
      const { runner, attempts } = leaveAttempts();
      cloud = await openTestJobs(runner, { modelFolder, concurrency: rows.length, ...options });
      await cloud.jobs.start();
      const jobs: Job[] = [];
      for (const text of rows) {
        const datasetId = await cloud.upload(text);
        jobs.push(await cloud.create({ datasetSource: { type: 'upload', datasetId }, ...config }));
      }
      if (admits) await until(() => attempts).toHaveLength(rows.length);
      return { jobs, attempts };
    },
    /** With the same attempts, which their workers go on with. */
    async restart(): Promise<void> {
      const { runner, attempts } = leaveAttempts();
      cloud = await cloud.reopen({ ...runner, attach: runner.start });
      await cloud.jobs.start();
      await until(() => attempts).not.toHaveLength(0);
    },
    async knock(url: string, path: string, token: string, init: RequestInit = {}): Promise<Response> {
      const api = createRunApi({ ...cloud.jobs.remote, guard: () => {}, deps: { log: () => {} } });
      const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
      return (await api(new Request(`http://cloud${url}/${path}`, { ...init, headers })))!;
    },
    post(url: string, path: string, token: string, body: unknown) {
      const headers = { 'content-type': 'application/json' };
      return door.knock(url, path, token, { method: 'POST', headers, body: JSON.stringify(body) });
    },
    async claim({ url, claimToken }: Pick<RemoteAttempt, 'url' | 'claimToken'>): Promise<Claim> {
      const response = await door.post(url, 'claim', claimToken!, ABOUT);
      expect(response.status).toBe(200);
      return (await response.json()) as Claim;
    },
    async report(url: string, token: string, body: object): Promise<ReportResponse> {
      const response = await door.post(url, 'report', token, body);
      expect(response.status).toBe(200);
      return (await response.json()) as ReportResponse;
    },
    async save(
      url: string,
      token: string,
      name: string,
      files: Record<string, string | Uint8Array<ArrayBuffer>>,
    ) {
      const list = Object.entries(files).map(([file, part]) => ({ name: file, content: new Blob([part]) }));
      const body = new Uint8Array(await toTarBlob(list).arrayBuffer());
      const headers = { 'content-type': 'application/octet-stream', 'x-svc-sha256': digest(body) };
      return door.knock(url, `folders/${name}`, token, { method: 'POST', headers, body });
    },
  };
  return door;
}
