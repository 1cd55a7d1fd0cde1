// svc start while somebody stops the real local cloud under it: it stays stopped, and the run goes on when it is back.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSession } from '../../../lib/sdk/index.js';
import { findProcesses, type Home, openHome } from '../../sdk/local-cloud/homes.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { untilGone } from '../../support/until-gone.js';
import { callCli, startCli } from '../support/terminal.js';

/** Long enough to be stopped in the middle, whatever the machine. As `createService` makes it. */
const ENTRY = `
  const rows = [{ prompt: 'Hello', completion: 'Hi' }];
  const options = { name: 'long', dataset: { type: 'rows', rows }, maxSteps: 1000000, saveSteps: 5 };
  const trainer = { name: options.name, options, start() {} };
  export const service = Object.defineProperty({ trainer }, Symbol.for('svc.service'), { value: true });
`;

let home: Home;
let model: string;
let cwd: string;
beforeEach(async () => {
  [home, model, cwd] = [
    await openHome(),
    await makeModelFolder(),
    await mkdtemp(join(tmpdir(), 'svc-stop-')),
  ];
  await mkdir(join(cwd, 'src', 'svc'), { recursive: true });
  await writeFile(join(cwd, 'src', 'svc', 'index.ts'), ENTRY);
  expect((await call('cloud', 'start', '--base-model', model)).exitCode).toBe(0);
});
afterEach(async () => {
  await home.close();
  for (const folder of [model, cwd]) await rm(folder, { recursive: true, maxRetries: 3 });
});

const call = (...argv: string[]) => callCli(argv, { cwd, env: home.env });

it('waits for a cloud that was stopped, starts none, and goes on when somebody does', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const run = startCli(['start'], { cwd, env: home.env });
  await run.shown('checkpoint saved');
  const next = startCli(['start'], { cwd, env: home.env });
  await next.shown(
    'Waiting for 1 running job on this cloud. To run more at once, run "svc cloud stop", then "svc cloud start --concurrency N".\n',
  );
  expect((await call('cloud', 'stop')).stdout).toMatch(
    /^Stopped the cloud at .*\.\nIts 1 running and 1 queued jobs continue at the next start: svc cloud start\n$/,
  );
  await run.shown('! The cloud was stopped. To continue the job, run "svc cloud start".\n');
  expect(await findProcesses(home.folder)).toEqual([]);
  expect(run.stdout).not.toMatch(/Retrying|Started the local cloud/);

  expect((await call('cloud', 'start')).exitCode).toBe(0);
  await run.shown('Resuming training after step');
  expect(run.stdout).toContain('\nThe cloud is back.\n');
  const { jobs } = JSON.parse((await call('jobs', 'list', '--json')).stdout);
  for (const { id } of jobs) await call('jobs', 'cancel', id);
  for (const { done } of [run, next])
    expect(await done).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/cancelled\n$/) });
});

it('is a matter of whoever used it: to them it stays stopped, and a crashed one is started again', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const session = openSession({ folder: cwd, env: home.env });
  const { pid } = await home.readFile();
  await session.reach();
  process.kill(pid, 'SIGKILL');
  await untilGone(pid);
  expect(session.isCloudStopped()).toBe(false);
  await session.reach();
  await call('cloud', 'stop');
  expect(session.isCloudStopped()).toBe(true);
  await expect(session.reach()).rejects.toMatchObject({
    code: 'cloud_unreachable',
    message: expect.stringContaining('Run "svc cloud start" to start it again'),
  });
  expect(await findProcesses(home.folder)).toEqual([]);

  // Who comes now needs it.
  const other = openSession({ folder: cwd, env: home.env });
  expect(other.isCloudStopped()).toBe(false);
  await other.reach();
  await until(() => session.reach().then(({ url }) => url)).toBe((await home.readFile()).url);
});
