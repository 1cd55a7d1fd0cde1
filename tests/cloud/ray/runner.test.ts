// The runner on a Ray cluster, with a scripted cluster and a scripted desk, in virtual time.
import { describe, expect, it } from 'vitest';
import { createClusterReader, createRayRunner } from '../../../lib/cloud/ray/index.js';
import { RayError } from '../../../lib/cloud/ray/ray-error.js';
import type { WorkerEnd } from '../../../lib/cloud/seams/runner.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { AWAY, createScriptedCluster } from './scripted-cluster.js';
import { createScriptedDesk, RUN } from './scripted-desk.js';
import { toNode } from './scripted-ray.js';

const ID = 'svc-job-1';
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const POLL = 5 * SECOND;
/** How often it looks whether a submission can be removed. */
const LOOK = SECOND / 2;
const STARTING = 'Starting on the Ray cluster.';

function open({ autoscaling = false } = {}) {
  const ray = createScriptedCluster();
  const clock = createVirtualClock();
  const logged: string[] = [];
  const runner = createRayRunner({
    client: ray.client,
    readCluster: createClusterReader(ray.client, clock),
    readPackage: async hasEngine => ({
      sha256: (hasEngine ? 'e' : 'f').repeat(64),
      bytes: Uint8Array.of(1),
    }),
    log: ({ message }) => logged.push(message),
    autoscaling,
    clock,
  });
  const desk = createScriptedDesk(clock);
  const finish = (status: 'SUCCEEDED' | 'FAILED', more = {}) =>
    Object.assign(ray.submissions.get(ID)!, { status, ...more });
  return { ray, clock, runner, logged, desk, finish, count: countOf(ray.asked) };
}

const countOf = (asked: readonly string[]) => (what: string) => asked.filter(each => each === what).length;

/** A run that was submitted, and that a worker has claimed. */
async function openClaimed() {
  const opened = open();
  const run = opened.runner.start(RUN, opened.desk);
  await opened.clock.pass(0);
  opened.desk.claim('a');
  await opened.clock.pass(POLL);
  expect(opened.desk.waits.at(-1)).toBeNull();
  let ending: Awaited<typeof run.ended> | null = null;
  void run.ended.then(ended => {
    ending = ended;
  });
  return {
    ...opened,
    run,
    ending: () => ending,
    /** The worker's last report. */
    async report(end: WorkerEnd) {
      opened.desk.report(end);
      await opened.clock.pass(0);
    },
  };
}

describe('a run on a Ray cluster', () => {
  it('is submitted with its door and its resources, and forgotten after its end', async () => {
    const { ray, clock, runner, desk, finish } = open();
    const run = runner.start({ ...RUN, engine: null, resources: { gpus: 0.5 } }, desk);
    await clock.pass(0);
    const { given } = ray.submissions.get(ID)!;
    expect(given).toMatchObject({ entrypoint: 'python -m svc_ray.run', entrypoint_num_cpus: 0 });
    const opens = { svc_url: 'http://cloud/v1/runs/job/1', svc_token: 'claim-token' };
    expect(given.metadata).toMatchObject({ ...opens, svc_engine: 'auto', svc_resources: '{"gpus":0.5}' });
    // The same for every run: nothing that belongs to one may be in it.
    const offline = { HF_HUB_OFFLINE: '1', TRANSFORMERS_OFFLINE: '1', HF_HUB_DISABLE_TELEMETRY: '1' };
    expect(given.runtime_env).toEqual({
      working_dir: `gcs://_ray_pkg_${'e'.repeat(64)}.zip`,
      env_vars: { SVC_NODE_PACKAGE: 'svc_node', RAY_USAGE_STATS_ENABLED: '0', ...offline },
    });
    desk.claim('10.0.0.7');
    desk.report({ status: 'completed', exitCode: 0 });
    expect(await run.ended).toEqual({ status: 'completed', exitCode: 0, signal: null });
    finish('SUCCEEDED');
    await clock.pass(10 * SECOND);
    expect([ray.submissions.has(ID), desk.waits.at(-1)]).toEqual([false, null]);
  });

  it('ends with the signal that ended the process of the worker', async () => {
    const { clock, runner, desk, finish } = open();
    const run = runner.start(RUN, desk);
    await clock.pass(0);
    desk.claim('10.0.0.7');
    desk.report({ status: 'failed', exitCode: -9 });
    expect(await run.ended).toEqual({ status: 'failed', exitCode: null, signal: 'SIGKILL' });
    finish('FAILED');
    await clock.pass(10 * SECOND);
  });

  it('says what it waits for until a worker claims it', async () => {
    const { ray, clock, runner, desk } = open();
    ray.nodes = [toNode('head', { CPU: 1 })];
    ray.usage = { head: { CPU: [1, 1] } };
    const run = runner.start(RUN, desk);
    await clock.pass(0);
    ray.submissions.get(ID)!.status = 'PENDING';
    await clock.pass(POLL);
    expect(desk.waits.at(-1)).toBe('Waiting for a free CPU: 1 in use.');
    // Now the CPU in use is its own.
    ray.submissions.get(ID)!.status = 'RUNNING';
    await clock.pass(POLL);
    expect(desk.waits.at(-1)).toBe(STARTING);
    run.kill();
    await run.ended;
  });

  it('has failed when its submission failed, with the exit code of its driver, 5 s after that', async () => {
    const { ray, clock, logged, finish, ending } = await openClaimed();
    finish('FAILED', { message: 'the node died', driver_exit_code: 137 });
    await clock.pass(POLL + 5 * SECOND - 1);
    expect(ending()).toBeNull();
    await clock.pass(1);
    expect(ending()).toEqual({ status: 'failed', exitCode: 137, signal: null });
    expect(logged.at(-1)).toContain('the node died');
    await clock.pass(10 * SECOND);
    expect(ray.submissions.size).toBe(0);
  });

  it('says why Ray could not start its worker, after three attempts', async () => {
    const { ray, clock, runner } = open();
    for (const attempt of [1, 2, 3]) {
      const run = runner.start({ ...RUN, attempt }, createScriptedDesk(clock));
      const ended = run.ended.catch((error: Error) => error.message);
      await clock.pass(0);
      const message = 'Traceback:\n  File "x"\nNo module named numpy.\n';
      Object.assign(ray.submissions.get(`svc-job-${attempt}`)!, { status: 'FAILED', message });
      await clock.pass(2 * POLL);
      const why = /could not start this job's worker: No module named numpy\. See "svc cloud logs"\./;
      if (attempt < 3) expect(await ended).toMatchObject({ status: 'failed' });
      else expect(await ended).toMatch(why);
    }
  });

  it('goes on with its next attempt when a restarted head has forgotten it', async () => {
    const { ray, clock, ending } = await openClaimed();
    ray.submissions.clear();
    await clock.pass(2 * POLL);
    expect(ending()).toMatchObject({ status: 'paused' });
  });

  it('lets the last report decide, even if it comes after the end of the submission', async () => {
    const { clock, report, finish, ending } = await openClaimed();
    finish('SUCCEEDED');
    await clock.pass(POLL + 5 * SECOND - 1);
    await report({ status: 'interrupted', diskFault: 'ENOSPC' });
    expect(ending()).toMatchObject({ status: 'interrupted', diskFault: 'ENOSPC' });
  });

  it('waits while the cluster is away, says so, and asks again after 1, 2, 4, 8 and every 16 s', async () => {
    const { ray, clock, runner, desk, count } = open();
    ray.fault = AWAY;
    const run = runner.start(RUN, desk);
    const times: number[] = [];
    for (let second = 0; second <= 63; second++) {
      await clock.pass(second === 0 ? 0 : SECOND);
      if (count('package') > times.length) times.push(second);
    }
    expect(times).toEqual([0, 1, 3, 7, 15, 31, 47, 63]);
    expect(desk.waits.at(-1)).toMatch(/^Waiting for the Ray cluster: .* does not answer/);
    ray.fault = null;
    await clock.pass(16 * SECOND);
    desk.report({ status: 'completed' });
    expect(await run.ended).toMatchObject({ status: 'completed' });
  });

  it('survives the end of a lease if Ray starts its task elsewhere, and is hung after ten minutes without', async () => {
    const { ray, clock, desk, ending } = await openClaimed();
    desk.expire();
    await clock.pass(0);
    expect(desk.waits.at(-1)).toBe(STARTING);
    await clock.pass(10 * MINUTE - POLL);
    desk.claim('b');
    await clock.pass(POLL);
    expect(desk.waits.at(-1)).toBeNull();
    desk.expire();
    await clock.pass(10 * MINUTE);
    expect(ending()).toBeNull();
    await clock.pass(POLL);
    expect(ending()).toMatchObject({ status: 'failed', hung: true });
    await clock.pass(MINUTE);
    expect(ray.submissions.size).toBe(0);
  });

  it('tells its worker to pause, which may take as long as it keeps its lease, and is stopped without one', async () => {
    const { clock, run, desk, ending, count } = await openClaimed();
    run.pause();
    await clock.pass(60 * MINUTE);
    expect([desk.wanted, count('stop')]).toEqual([['pause'], 0]);
    desk.expire();
    await clock.pass(POLL);
    expect(count('stop')).toBe(1);
    await clock.pass(2 * POLL);
    expect(ending()).toMatchObject({ status: 'paused' });
  });

  it('is stopped when its worker has not heard for 30 s that it is canceled', async () => {
    const { clock, run, desk, ending, count } = await openClaimed();
    run.cancel();
    await clock.pass(30 * SECOND);
    expect([desk.wanted, count('stop')]).toEqual([['cancel'], 0]);
    await clock.pass(POLL);
    expect(count('stop')).toBe(1);
    await clock.pass(2 * POLL);
    expect(ending()).toMatchObject({ status: 'cancelled' });
  });

  it('is canceled by its worker, and not paused afterwards', async () => {
    const { run, desk, report, ending } = await openClaimed();
    run.cancel();
    run.pause();
    expect(desk.wanted).toEqual(['cancel']);
    await report({ status: 'cancelled' });
    expect(ending()).toMatchObject({ status: 'cancelled' });
  });

  it('ends at once when killed, even if the cluster is away', async () => {
    const { ray, clock, run, ending } = await openClaimed();
    ray.fault = AWAY;
    run.cancel();
    run.kill();
    await clock.pass(0);
    expect(ending()).toMatchObject({ status: 'cancelled' });
  });

  it.each(['cancel', 'pause'] as const)('ends at once on %s before it was submitted', async order => {
    const { ray, clock, runner, desk, count } = open();
    ray.fault = AWAY;
    const run = runner.start(RUN, desk);
    await clock.pass(MINUTE);
    run[order]();
    expect(await run.ended).toMatchObject({ status: order === 'cancel' ? 'cancelled' : 'paused' });
    ray.fault = null;
    await clock.pass(MINUTE);
    expect(count('submit')).toBe(0);
  });

  it('goes on while something else answers in the place of the dashboard, once it was submitted', async () => {
    const { ray, clock, report, ending } = await openClaimed();
    for (const kind of ['unsupported', 'rejected'] as const) {
      ray.fault = new RayError(kind, 'It redirects.');
      // More often than a cluster may refuse a submission.
      await clock.pass(10 * MINUTE);
    }
    await report({ status: 'completed' });
    expect(ending()).toMatchObject({ status: 'completed' });
  });

  it('is removed from the list although the cluster is away when it ends', async () => {
    const { ray, clock, desk, finish, ending } = await openClaimed();
    ray.fault = AWAY;
    desk.report({ status: 'completed' });
    await clock.pass(30 * SECOND);
    expect(ending()).toMatchObject({ status: 'completed' });
    finish('SUCCEEDED');
    ray.fault = null;
    await clock.pass(10 * SECOND);
    expect(ray.submissions.size).toBe(0);
  });

  it('stays in the list for 3 s, until Ray has seen its end, and is removed again when it comes back', async () => {
    const { ray, clock, desk, finish } = await openClaimed();
    desk.report({ status: 'completed' });
    const submission = finish('SUCCEEDED');
    await clock.pass(3 * SECOND - 1);
    expect(ray.submissions.has(ID)).toBe(true);
    await clock.pass(1);
    expect(ray.submissions.has(ID)).toBe(false);
    await clock.pass(6 * MINUTE);
    ray.submissions.set(ID, { ...submission, status: 'FAILED' });
    await clock.pass(4 * MINUTE);
    expect(ray.submissions.size).toBe(0);
    await clock.pass(60 * MINUTE);
    expect(clock.waiting).toBe(0);
  });

  it('is removed at once when the cloud ends', async () => {
    const { ray, clock, report, runner, finish } = await openClaimed();
    await report({ status: 'completed' });
    finish('SUCCEEDED');
    await clock.pass(SECOND);
    await Promise.all([runner.close(), clock.pass(LOOK)]);
    expect(ray.submissions.has(ID)).toBe(false);
  });

  it('that does not end by itself after its last report is stopped after 30 s', async () => {
    const { ray, clock, desk, count } = await openClaimed();
    desk.report({ status: 'completed' });
    await clock.pass(30 * SECOND);
    expect(count('stop')).toBe(0);
    await clock.pass(LOOK);
    expect(count('stop')).toBe(1);
    await clock.pass(10 * SECOND);
    expect(ray.submissions.size).toBe(0);
  });

  it('is followed after a restart without being submitted again', async () => {
    const { ray, clock, runner, desk, count } = open();
    ray.submissions.set(ID, { submission_id: ID, status: 'RUNNING', given: {} as never });
    const run = runner.attach(RUN, desk);
    desk.claim('a');
    await clock.pass(POLL);
    expect(desk.waits.at(-1)).toBeNull();
    desk.report({ status: 'completed' });
    await run.ended;
    expect([count('submit'), count('package')]).toEqual([0, 0]);
  });
});

describe('the place of a run', () => {
  it('stays in the queue while the cluster is full, counting what was submitted just now', async () => {
    const { ray, clock, runner, desk } = open();
    ray.nodes = [toNode('head', { CPU: 1 })];
    expect(await runner.findObstacle(RUN, [])).toBeNull();
    expect(await runner.findObstacle(RUN, [{}])).toMatchObject({ passes: true });
    const run = runner.start(RUN, desk);
    const reason = 'Waiting for a free CPU: 1 in use.';
    expect(await runner.findObstacle(RUN, [])).toEqual({ reason, passes: true });
    run.kill();
    await run.ended;
    await clock.pass(0);
    expect(await runner.findObstacle(RUN, [])).toBeNull();
  });

  it('is counted beside the figures of the cluster until 15 s after a worker has claimed the run', async () => {
    const { ray, clock, runner } = await openClaimed();
    ray.nodes = [toNode('head', { CPU: 1 })];
    await clock.pass(15 * SECOND - 1);
    expect(await runner.findObstacle(RUN, [])).not.toBeNull();
    await clock.pass(1);
    expect(await runner.findObstacle(RUN, [])).toBeNull();
  });

  it('is looked for in figures that are at most 2 s old, and waits for a cluster that is away', async () => {
    const { ray, clock, runner, count } = open();
    for (let i = 0; i < 5; i++) await runner.findObstacle(RUN, []);
    await clock.pass(2 * SECOND);
    await runner.findObstacle(RUN, []);
    expect(count('nodes')).toBe(1);
    await clock.pass(1);
    await runner.findObstacle(RUN, []);
    expect(count('nodes')).toBe(2);
    ray.fault = AWAY;
    await clock.pass(3 * SECOND);
    const reason = expect.stringMatching(/^Waiting for the Ray cluster: .* does not answer/);
    expect(await runner.findObstacle(RUN, [])).toMatchObject({ reason, passes: false });
  });

  it('is submitted without a place on a cluster that adds nodes, a few at once', async () => {
    const { clock, runner } = open({ autoscaling: true });
    const wanted = { ...RUN, resources: { gpus: 1 } };
    const runs = [1, 2, 3, 4].map(attempt => runner.start({ ...wanted, attempt }, createScriptedDesk(clock)));
    const reason = 'Waiting for 1 GPU: no node has one.';
    expect(await runner.findObstacle(wanted, [])).toEqual({ reason, passes: false });
    runs[0]!.kill();
    await runs[0]!.ended;
    await clock.pass(0);
    expect(await runner.findObstacle(wanted, [])).toBeNull();
    for (const run of runs) run.kill();
    await Promise.all(runs.map(({ ended }) => ended));
  });
});
