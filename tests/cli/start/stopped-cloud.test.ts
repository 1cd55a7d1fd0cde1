// svc start while somebody stops the real local cloud under it: it stays stopped, and the run goes on when it is back.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../../../lib/sdk/index.js';
import { findProcesses, type Home, openHome } from '../../sdk/local-cloud/homes.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { untilGone } from '../../support/until-gone.js';
import { entryOf } from '../support/project.js';
import { callCli, startCli } from '../support/terminal.js';

const cwd = temporaryFolder('svc-stop');
let home: Home;
let model: string;
beforeEach(async () => {
  [home, model] = [await openHome(), await makeModelFolder()];
  expect((await svc(`cloud start --base-model ${model}`)).exitCode).toBe(0);
});
afterEach(async () => {
  await home.close();
  await rm(model, { recursive: true, maxRetries: 3 });
});

const svc = (line: string) => callCli(line.split(' '), { cwd, env: home.env });
const startRun = () => startCli(['start'], { cwd, env: home.env });

/** Each test starts the cloud several times, and the first one trains twice: beside much else, that takes a minute. */
const LONG_MS = 3 * JOURNEY_TIMEOUT_MS;

describe('a cloud that is stopped', { timeout: LONG_MS }, () => {
  it('is waited for by its run, which starts none, and goes on when somebody does', async () => {
    await mkdir(join(cwd, 'src', 'svc'), { recursive: true });
    // Long enough to be stopped in the middle, whatever the machine.
    const entry = entryOf({ options: 'maxSteps: 1000000, saveSteps: 5' });
    await writeFile(join(cwd, 'src', 'svc', 'index.ts'), entry);
    const run = startRun();
    await run.shown('checkpoint saved');
    const next = startRun();
    await next.shown(
      'Waiting for 1 running job on this cloud. To run more at once, run "svc cloud stop", then "svc cloud start --concurrency N".\n',
    );
    expect((await svc('cloud stop')).stdout).toMatch(
      /^Stopped the cloud at .*\.\nIts 1 running and 1 queued jobs continue at the next start: svc cloud start\n$/,
    );
    await run.shown('! The cloud was stopped. To continue the job, run "svc cloud start".\n');
    expect(await findProcesses(home.folder)).toEqual([]);
    expect(run.stdout).not.toMatch(/Retrying|Started the local cloud/);

    expect((await svc('cloud start')).exitCode).toBe(0);
    await run.shown('Resuming training after step');
    expect(run.stdout).toContain('\nThe cloud is back.\n');
    const { jobs } = JSON.parse((await svc('jobs list --json')).stdout);
    for (const { id } of jobs) await svc(`jobs cancel ${id}`);
    for (const { done } of [run, next])
      expect(await done).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/cancelled\n$/) });
  });

  it('stays stopped to whoever used it, where a crashed one is started again', async () => {
    const session = openSession({ folder: cwd, env: home.env });
    const { pid } = await home.readFile();
    await session.reach();
    process.kill(pid, 'SIGKILL');
    await untilGone(pid);
    expect(session.isCloudStopped()).toBe(false);
    await session.reach();
    await svc('cloud stop');
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
});
