// The runner on a Ray cluster, against a scripted dashboard and a scripted desk.
import { describe, expect, it } from 'vitest';
import { createClusterReader, createRayClient, createRayRunner } from '../../../lib/cloud/ray/index.js';
import { until } from '../../support/until.js';
import { createScriptedDesk, RUN } from './scripted-desk.js';
import { type ScriptedRay, startScriptedRay, toNode } from './scripted-ray.js';

const ID = 'svc-job-1';
const PACE = {
  pollMs: 10,
  retryMs: 10,
  stopMs: 10_000,
  settleMs: 20,
  lostMs: 60_000,
  restMs: 0,
  goneMs: 500,
};

async function open({ pace = {}, autoscaling = false } = {}) {
  const ray = await startScriptedRay();
  const client = createRayClient(ray);
  const logged: string[] = [];
  const runner = createRayRunner({
    client,
    cluster: createClusterReader(client, 0),
    buildPackage: async hasEngine => ({
      sha256: (hasEngine ? 'e' : 'f').repeat(64),
      bytes: new Uint8Array([1]),
    }),
    log: ({ message }) => logged.push(message),
    autoscaling,
    pace: { ...PACE, ...pace },
  });
  return { ray, runner, logged, desk: createScriptedDesk() };
}

const submitted = (ray: ScriptedRay) => until(() => ray.submissions.has(ID)).toBe(true);
const gone = (ray: ScriptedRay) => until(() => ray.submissions.has(ID)).toBe(false);
const finish = (ray: ScriptedRay, status: string, more = {}) =>
  Object.assign(ray.submissions.get(ID)!, { status, ...more });

describe('a run on a Ray cluster', () => {
  it('is submitted with its door and its resources, and forgotten after its end', async () => {
    const { ray, runner, desk } = await open();
    const run = runner.start({ ...RUN, engine: null, resources: { gpus: 0.5 } }, desk);
    await submitted(ray);
    const { body } = ray.submissions.get(ID)!;
    expect(body).toMatchObject({
      entrypoint: 'python -m svc_ray.run',
      entrypoint_num_cpus: 0,
      metadata: {
        svc_url: 'http://cloud/v1/runs/job/1',
        svc_token: 'claim-token',
        svc_engine: 'auto',
        svc_resources: '{"gpus":0.5}',
      },
    });
    // The same for every run: nothing that belongs to one may be in it.
    expect(body.runtime_env).toEqual({
      working_dir: `gcs://_ray_pkg_${'e'.repeat(64)}.zip`,
      env_vars: {
        SVC_NODE_PACKAGE: 'svc_node',
        RAY_USAGE_STATS_ENABLED: '0',
        HF_HUB_OFFLINE: '1',
        TRANSFORMERS_OFFLINE: '1',
      },
    });
    desk.claim('10.0.0.7');
    await until(() => desk.waits.at(-1)).toBeNull();
    desk.report({ status: 'completed', exitCode: 0 });
    expect(await run.ended).toEqual({ status: 'completed', exitCode: 0, signal: null });
    finish(ray, 'SUCCEEDED');
    await gone(ray);
    expect(desk.waits.at(-1)).toBeNull();
  });

  it('says what it waits for until a worker claims it', async () => {
    const { ray, runner, desk } = await open();
    ray.nodes = [toNode('head', { CPU: 1 })];
    ray.usage = { head: { CPU: [1, 1] } };
    ray.onSubmit = submission => {
      submission.status = 'PENDING';
    };
    const run = runner.start(RUN, desk);
    await until(() => desk.waits).toContain('Waiting for a free CPU: 1 in use.');
    // Now the CPU in use is its own.
    for (const submission of ray.submissions.values()) submission.status = 'RUNNING';
    await until(() => desk.waits.at(-1)).toBe('Starting on the Ray cluster.');
    run.kill();
    await run.ended;
  });

  it('has failed when its submission failed, with the exit code of its driver', async () => {
    const { ray, runner, desk, logged } = await open();
    const run = runner.start(RUN, desk);
    await submitted(ray);
    desk.claim('a');
    finish(ray, 'FAILED', { message: 'the node died', driver_exit_code: 137 });
    expect(await run.ended).toEqual({ status: 'failed', exitCode: 137, signal: null });
    expect(logged.at(-1)).toContain('the node died');
    await gone(ray);
  });

  it('says why Ray could not start its worker, after three attempts', async () => {
    const { ray, runner } = await open();
    for (const attempt of [1, 2, 3]) {
      const run = runner.start({ ...RUN, attempt }, createScriptedDesk());
      const id = `svc-job-${attempt}`;
      await until(() => ray.submissions.has(id)).toBe(true);
      Object.assign(ray.submissions.get(id)!, {
        status: 'FAILED',
        message: 'Traceback:\n  File "x"\nNo module named numpy.\n',
      });
      if (attempt < 3) expect(await run.ended).toMatchObject({ status: 'failed' });
      else
        await expect(run.ended).rejects.toThrow(
          /could not start this job's worker: No module named numpy\. See "svc cloud logs"\./,
        );
    }
  });

  it('goes on with its next attempt when a restarted head has forgotten it', async () => {
    const { ray, runner, desk } = await open();
    const run = runner.start(RUN, desk);
    await submitted(ray);
    desk.claim('a');
    ray.submissions.clear();
    expect(await run.ended).toMatchObject({ status: 'paused' });
  });

  it('lets the last report decide, even if it comes after the end of the submission', async () => {
    const { ray, runner, desk } = await open({ pace: { settleMs: 60_000 } });
    const run = runner.start(RUN, desk);
    await submitted(ray);
    desk.claim('a');
    finish(ray, 'SUCCEEDED');
    await until(() => ray.asked.filter(line => line.endsWith(ID)).length).toBeGreaterThan(0);
    desk.report({ status: 'interrupted', diskFault: 'ENOSPC' });
    expect(await run.ended).toMatchObject({ status: 'interrupted', diskFault: 'ENOSPC' });
  });

  it('waits while the cluster is away, says so, and goes on', async () => {
    const { ray, runner, desk } = await open();
    ray.intercept = request => {
      request.socket.destroy();
      return true;
    };
    const run = runner.start(RUN, desk);
    await until(() => desk.waits.at(-1)).toMatch(/^Waiting for the Ray cluster: .* does not answer/);
    ray.intercept = null;
    await submitted(ray);
    desk.report({ status: 'completed' });
    expect(await run.ended).toMatchObject({ status: 'completed' });
  });

  it('survives the end of a lease if Ray starts its task elsewhere', async () => {
    const { ray, runner, desk } = await open();
    const run = runner.start(RUN, desk);
    await submitted(ray);
    desk.claim('a');
    await until(() => desk.waits.at(-1)).toBeNull();
    desk.expire();
    await until(() => desk.waits.at(-1)).toBe('Starting on the Ray cluster.');
    desk.claim('b');
    await until(() => desk.waits.at(-1)).toBeNull();
    desk.report({ status: 'completed' });
    expect(await run.ended).toMatchObject({ status: 'completed' });
  });

  it('is hung when its lease is over and its submission goes on', async () => {
    const { ray, runner, desk } = await open({ pace: { lostMs: 20 } });
    const run = runner.start(RUN, desk);
    await submitted(ray);
    desk.claim('a');
    await until(() => desk.waits.at(-1)).toBeNull();
    desk.expire();
    expect(await run.ended).toMatchObject({ status: 'failed', hung: true });
    await gone(ray);
  });

  it('tells its worker to pause, and stops a submission that does not listen', async () => {
    const { ray, runner, desk } = await open({ pace: { stopMs: 20 } });
    const run = runner.start(RUN, desk);
    await submitted(ray);
    run.pause();
    expect(await run.ended).toMatchObject({ status: 'paused' });
    expect(desk.wanted).toEqual(['pause']);
    expect(ray.asked).toContain(`POST /api/jobs/${ID}/stop`);
  });

  it('is canceled by its worker, and not paused afterwards', async () => {
    const { ray, runner, desk } = await open();
    const run = runner.start(RUN, desk);
    await submitted(ray);
    run.cancel();
    run.pause();
    expect(desk.wanted).toEqual(['cancel']);
    desk.report({ status: 'cancelled' });
    expect(await run.ended).toMatchObject({ status: 'cancelled' });
  });

  it('ends at once when killed, even if the cluster is away', async () => {
    const { ray, runner, desk } = await open();
    const run = runner.start(RUN, desk);
    await submitted(ray);
    ray.intercept = request => {
      request.socket.destroy();
      return true;
    };
    run.cancel();
    run.kill();
    expect(await run.ended).toMatchObject({ status: 'cancelled' });
  });

  it.each(['cancel', 'pause'] as const)('ends at once on %s before it was submitted', async order => {
    const { ray, runner, desk } = await open({ pace: { settleMs: 60_000 } });
    ray.intercept = request => {
      request.socket.destroy();
      return true;
    };
    const run = runner.start(RUN, desk);
    await until(() => desk.waits.at(-1)).toMatch(/^Waiting for the Ray cluster: /);
    run[order]();
    expect(await run.ended).toMatchObject({ status: order === 'cancel' ? 'cancelled' : 'paused' });
    ray.intercept = null;
    expect(ray.asked).not.toContain('POST /api/jobs/');
  });

  it('goes on while something else answers in the place of the dashboard, once it was submitted', async () => {
    const { ray, runner, desk } = await open();
    const run = runner.start(RUN, desk);
    await submitted(ray);
    let asked = 0;
    ray.intercept = (_, response) => {
      asked++;
      response.writeHead(asked % 2 === 0 ? 302 : 500, { location: '/login' }).end('<html>\nSign in\n</html>');
      return true;
    };
    // More often than a cluster may refuse a submission.
    await until(() => asked).toBeGreaterThan(12);
    desk.report({ status: 'completed' });
    expect(await run.ended).toMatchObject({ status: 'completed' });
  });

  it('is removed from the list although the cluster is away when it ends', async () => {
    const { ray, runner, desk } = await open();
    const run = runner.start(RUN, desk);
    await submitted(ray);
    desk.claim('a');
    let isAway = true;
    ray.intercept = (_, response) => {
      if (isAway) response.writeHead(500).end('No available agent.');
      return isAway;
    };
    desk.report({ status: 'completed' });
    expect(await run.ended).toMatchObject({ status: 'completed' });
    ray.submissions.get(ID)!.status = 'SUCCEEDED';
    isAway = false;
    await gone(ray);
  });

  it('is removed from the list again when Ray brings it back as failed', async () => {
    const { ray, runner, desk } = await open();
    const run = runner.start(RUN, desk);
    await submitted(ray);
    desk.claim('a');
    desk.report({ status: 'completed' });
    await run.ended;
    const submission = finish(ray, 'SUCCEEDED');
    await gone(ray);
    ray.submissions.set(ID, { ...submission, status: 'FAILED' });
    await gone(ray);
  });

  it('stays in the list until Ray has seen its end, unless the cloud ends', async () => {
    const { ray, runner, desk } = await open({ pace: { restMs: 600_000 } });
    const run = runner.start(RUN, desk);
    await submitted(ray);
    desk.claim('a');
    desk.report({ status: 'completed' });
    await run.ended;
    finish(ray, 'SUCCEEDED');
    const looks = () => ray.asked.filter(line => line === `GET /api/jobs/${ID}`).length;
    const before = looks();
    await until(looks).toBeGreaterThan(before + 5);
    expect(ray.submissions.has(ID)).toBe(true);
    await runner.close();
    expect(ray.submissions.has(ID)).toBe(false);
  });

  it('is followed after a restart without being submitted again', async () => {
    const { ray, runner, desk } = await open();
    ray.submissions.set(ID, { submission_id: ID, status: 'RUNNING', body: {} as never });
    const run = runner.attach(RUN, desk);
    desk.claim('a');
    await until(() => desk.waits.at(-1)).toBeNull();
    desk.report({ status: 'completed' });
    await run.ended;
    expect(ray.asked.filter(line => line === 'POST /api/jobs/')).toEqual([]);
    expect(ray.packages.size).toBe(0);
  });
});

describe('the place of a run', () => {
  it('stays in the queue while the cluster is full, counting what was submitted just now', async () => {
    const { ray, runner, desk } = await open();
    ray.nodes = [toNode('head', { CPU: 1 })];
    expect(await runner.findObstacle(RUN, [])).toBeNull();
    expect(await runner.findObstacle(RUN, [{}])).toMatchObject({ passes: true });
    const run = runner.start(RUN, desk);
    expect(await runner.findObstacle(RUN, [])).toEqual({
      reason: 'Waiting for a free CPU: 1 in use.',
      passes: true,
    });
    run.kill();
    await run.ended;
    await until(() => runner.findObstacle(RUN, [])).toBeNull();
  });

  it('is submitted without a place on a cluster that adds nodes, a few at once', async () => {
    const { runner } = await open({ autoscaling: true });
    const wanted = { ...RUN, resources: { gpus: 1 } };
    const runs = [1, 2, 3, 4].map(attempt => runner.start({ ...wanted, attempt }, createScriptedDesk()));
    expect(await runner.findObstacle(wanted, [])).toEqual({
      reason: 'Waiting for 1 GPU: no node has one.',
      passes: false,
    });
    runs[0]!.kill();
    await runs[0]!.ended;
    await until(() => runner.findObstacle(wanted, [])).toBeNull();
    for (const run of runs) run.kill();
    await Promise.all(runs.map(({ ended }) => ended));
    await runner.close();
  });

  it('waits for a cluster that is away', async () => {
    const { ray, runner } = await open();
    ray.token = 'changed';
    expect(await runner.findObstacle(RUN, [])).toMatchObject({
      reason: expect.stringMatching(/^Waiting for the Ray cluster: .* requires a token/),
      passes: false,
    });
  });
});
