// Commands that follow a job of the local cloud while it moves to another port.
import { createHmac } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { JobEvent } from '../../../lib/contract/index.js';
import packageJson from '../../../package.json' with { type: 'json' };
import { type FakeCloud, startFakeCloud } from '../../support/fake-cloud.js';
import { sampleAnonymous, sampleJob } from '../../support/samples.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { writeCredentials } from '../../support/write-credentials.js';
import { completed, ended, log, started } from '../support/job-events.js';
import { startCli } from '../support/terminal.js';

const SECRET = 'secret';
const STEPS = [log({ step: 1, loss: 0.1 }), log({ step: 2, loss: 0.05 }), completed(), ended()];

let cwd: string;
let home: string;
let cloud: FakeCloud;
beforeEach(async () => {
  const root = temporaryFolder('svc-moved');
  [cwd, home] = [join(root, 'project'), join(root, 'home')];
  for (const folder of [join(home, 'cloud'), join(cwd, '.svc')]) await mkdir(folder, { recursive: true });
  const anna = sampleAnonymous({ token: 'token-of-anna', anonymousId: 'anna', orgSlug: 'org-anna' });
  await writeCredentials(home, { local: anna });
  const state = { orgSlug: 'org-anna', projectSlug: 'shop-1a2b', projectId: 'project-1' };
  await writeFile(join(cwd, '.svc', 'state.json'), JSON.stringify(state));
  cloud = await openLocal();
});

/** A cloud that is the local one from now on, by its `cloud.json`. */
async function openLocal(): Promise<FakeCloud> {
  const prove = (nonce: string) => createHmac('sha256', SECRET).update(nonce).digest('hex');
  const about = { version: packageJson.version, baseModel: 'svc/tiny', deploymentDomain: 'd.example.com' };
  const opened = await startFakeCloud({
    getCloud: ({ query: { nonce } }) => ({ ...about, proof: nonce ? prove(nonce) : null }),
  });
  onTestFinished(() => opened.close());
  const { url } = opened;
  const file = { url, port: Number(new URL(url).port), pid: process.pid, version: about.version };
  await writeFile(join(home, 'cloud', 'cloud.json'), JSON.stringify({ ...file, secret: SECRET }));
  return opened;
}

/** The same cloud elsewhere: nothing answers at its old address. */
async function move(): Promise<void> {
  const [before, now] = [cloud, await openLocal()];
  now.jobs = before.jobs;
  await before.close();
  cloud = now;
}

const start = (...words: string[]) => startCli(words, { cwd, env: { SVC_HOME: home } });
const emit = (id: string, events: readonly JobEvent[]) => {
  for (const event of events) cloud.emit(id, event);
};
const add = (job: ReturnType<typeof sampleJob>, events: JobEvent[]) =>
  cloud.jobs.push({ job, events, archives: {} });

it('svc jobs wait says how the job has ended', async () => {
  const job = sampleJob();
  add(job, [started()]);
  const call = start('jobs', 'wait', job.id, '--json');
  await until(() => cloud.calls).toContain(`GET /v1/jobs/${job.id}/events/stream`);
  await move();
  job.status = 'completed';
  emit(job.id, STEPS);
  const { exitCode, stdout } = await call.done;
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { job: { id: job.id, status: 'completed' } }]);
});

async function verify() {
  const config = { model: 'svc/tiny', datasetSource: { type: 'upload', datasetId: 'data-1' } } as const;
  const job = sampleJob({ status: 'completed', config });
  add(job, [started(), ...STEPS]);
  cloud.onJob = ({ events }) => events.push(started());
  const call = start('verify', job.id);
  await until(() => cloud.jobs.length).toBe(2);
  const repeated = cloud.jobs[0]!.job;
  await until(() => cloud.calls).toContain(`GET /v1/jobs/${repeated.id}/events/stream`);
  await move();
  return { call, repeated };
}

it('svc verify compares the repetition', async () => {
  const { call, repeated } = await verify();
  repeated.status = 'completed';
  emit(repeated.id, STEPS);
  expect(await call.done).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('svc:') });
});

it('svc verify cancels the repetition when it is interrupted', async () => {
  const { call, repeated } = await verify();
  await until(() => cloud.calls).toContain(`GET /v1/jobs/${repeated.id}/events/stream`);
  call.signal('SIGINT');
  expect(await call.done).toMatchObject({ exitCode: 130 });
  expect(repeated.status).toBe('cancelled');
});
