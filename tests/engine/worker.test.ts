// The training process as its callers see it: real training, real kills.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RewardRequest } from '../../lib/contract/index.js';
import { type EngineEvent, startTraining, type TrainTask } from '../../lib/engine/index.js';
import { findProgram } from '../../lib/system/index.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { bundleTestProgram } from '../support/test-program.js';
import { until } from '../support/until.js';
import { untilGone } from '../support/until-gone.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { lossesIn, makeTask } from './tasks/make-task.js';

/** The events of a training, in a folder of its own if one is named. */
async function run({ request, ...task }: TrainTask, name?: string) {
  const events: EngineEvent[] = [];
  const folder = name === undefined ? request.folder : join(request.folder, '..', name);
  const training = startTraining(
    { ...task, request: { ...request, folder } },
    event => void events.push(event),
  );
  return { events, ...(await training.ended) };
}

/** More steps than a run may be ahead of its parent, so that it does not end before it hears from it. */
const TOO_MANY = { maxSteps: 300, learningRate: 1e-4 };
/** The same from its first checkpoint to the next. */
const FAR_APART = { maxSteps: 600, saveSteps: 300, learningRate: 1e-4 };

describe('a training process', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('trains from any working directory, and resumes after a kill with the losses of an uninterrupted run', async () => {
    const given = await makeTask(FAR_APART);
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(given.request.modelFolder);
    const whole = await run(given, 'whole');
    expect(whole).toMatchObject({ status: 'completed', exitCode: 0 });
    const killed: EngineEvent[] = [];
    const training = startTraining(given, event => {
      killed.push(event);
      if (event.type === 'checkpoint.saved') process.kill(training.pid, 'SIGKILL');
    });
    expect(await training.ended).toMatchObject({ status: 'failed', signal: 'SIGKILL' });
    const resumed = await run(given);
    expect(resumed.events[0]).toMatchObject({ type: 'training.started', resumedFromStep: 300 });
    const kept = lossesIn(killed).filter(([step]) => step <= 300);
    expect([...kept, ...lossesIn(resumed.events)]).toEqual(lossesIn(whole.events));
  });

  it('asks its parent for rewards, and gets those of an uninterrupted run after a kill', async () => {
    const reward = { type: 'string_check', name: 'a', input: 'a', reference: 'a', operation: 'eq' } as const;
    const sampling = { group: 2, updates: 1, beta: 0.04, epsilon: 0.2, temperature: 1, maxTokens: 4 };
    const method = { type: 'grpo', reward, ...sampling } as const;
    const options = { method, maxSteps: 6, saveSteps: 3, batchSize: 2 };
    const { request, ...task } = await makeTask(options);
    const path = join(request.folder, '..', 'prompts.jsonl');
    await writeFile(path, '{"messages":[{"role":"user","content":"Say it"}]}\n'.repeat(4));
    const given = { ...task, request: { ...request, source: { type: 'file', path } as const } };
    const asked: RewardRequest[] = [];
    const score = async (about: RewardRequest) => {
      asked.push(about);
      return {
        rewards: about.groups.map(({ answers }) => answers.map(({ text }) => ({ reward: text.length }))),
      };
    };
    const follow = (folder: string, onEvent: (event: EngineEvent) => void) =>
      startTraining({ ...given, request: { ...given.request, folder } }, onEvent, { score });
    await follow(join(request.folder, '..', 'whole'), () => {}).ended;
    const whole = asked.splice(0);
    expect(whole).toHaveLength(6);
    const killed = follow(request.folder, ({ type }) => {
      if (type === 'checkpoint.saved') process.kill(killed.pid, 'SIGKILL');
    });
    expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' });
    const before = asked.splice(0);
    expect(await follow(request.folder, () => {}).ended).toMatchObject({ status: 'completed' });
    expect([...before.slice(0, 3), ...asked]).toEqual(whole);
  });

  it('is killed if it is suspended for long, and resumes like one that died', async () => {
    const given = await makeTask(FAR_APART);
    const clock = createVirtualClock();
    const suspend = ({ type }: EngineEvent) => {
      if (type !== 'checkpoint.saved') return;
      process.kill(training.pid, 'SIGSTOP');
      void clock.pass(61_000);
    };
    const training = startTraining(given, suspend, { clock });
    expect(await training.ended).toEqual({ status: 'failed', exitCode: null, signal: 'SIGKILL', hung: true });
    expect((await run(given)).events[0]).toMatchObject({ type: 'training.started', resumedFromStep: 300 });
  });

  it('loses no events if it ends while its parent is busy', async () => {
    const events: EngineEvent[] = [];
    const training = startTraining(await makeTask({ maxSteps: 250, learningRate: 1e-4 }), event => {
      events.push(event);
      if (events.length === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
    });
    expect(await training.ended).toMatchObject({ status: 'completed', exitCode: 0 });
    expect(events).toHaveLength(252);
    expect(events.at(-1)!.type).toBe('training.completed');
  });

  it('pauses after a step with a checkpoint, and resumes with the same losses', async () => {
    const given = await makeTask({ ...TOO_MANY, saveSteps: 1000 });
    const whole = await run(given, 'whole');
    const paused: EngineEvent[] = [];
    const training = startTraining(given, event => {
      paused.push(event);
      if (event.type === 'training.log' && event.step === 3) training.pause();
    });
    expect(await training.ended).toMatchObject({ status: 'paused', exitCode: 0 });
    expect(paused.at(-1)!.type).toBe('checkpoint.saved');
    expect([...lossesIn(paused), ...lossesIn((await run(given)).events)]).toEqual(lossesIn(whole.events));
  });

  it('waits for a slow parent, and loses no events', async () => {
    const held: (() => void)[] = [];
    const events: EngineEvent[] = [];
    let isHeld = true;
    const training = startTraining(await makeTask({ maxSteps: 400, learningRate: 1e-4 }), event => {
      events.push(event);
      return isHeld ? new Promise<void>(resolve => held.push(resolve)) : undefined;
    });
    await until(() => held.length).toBe(256);
    isHeld = false;
    for (const release of held) release();
    expect(await training.ended).toMatchObject({ status: 'completed' });
    expect(lossesIn(events).map(([step]) => step)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1));
  });

  it('waits after a checkpoint until its parent has handled it, unless it is to stop', async () => {
    const events: EngineEvent[] = [];
    const training = startTraining(
      await makeTask({ maxSteps: 100_000, saveSteps: 2, learningRate: 1e-4 }),
      event => {
        events.push(event);
        if (event.type !== 'checkpoint.saved' || event.step !== 2) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
        training.pause();
        return new Promise<void>(() => {});
      },
    );
    expect(await training.ended).toMatchObject({ status: 'paused' });
    expect(events.map(event => ('step' in event ? event.step : event.type))).toEqual([
      'training.started',
      ...[1, 2, 2, 3, 3],
    ]);
  });

  it('stops on request, also while it waits for its parent', async () => {
    let taken = 0;
    const training = startTraining(await makeTask({ maxSteps: 100_000, learningRate: 1e-4 }), () => {
      taken++;
      return new Promise<void>(() => {});
    });
    await until(() => taken).toBe(256);
    training.cancel();
    expect(await training.ended).toMatchObject({ status: 'cancelled' });
  });

  it('exits when its parent dies', async () => {
    const { path, execArgv } = findProgram('lib/engine/worker');
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
    const parent = `
      const { fork } = require('node:child_process');
      const options = ${JSON.stringify({ serialization: 'advanced', execArgv, stdio })};
      const worker = fork(${JSON.stringify(path)}, options);
      worker.on('message', ({ event }) => {
        if (event?.type !== 'training.log') return;
        process.stdout.write(String(worker.pid), () => process.kill(process.pid, 'SIGKILL'));
      });
      worker.send(${JSON.stringify({ type: 'train', task: await makeTask({ maxSteps: 100_000 }) })});`;
    const ended = promisify(execFile)(process.execPath, ['-e', parent]);
    const pid = Number((await ended.catch((error: { stdout: string }) => error)).stdout);
    expect(pid).toBeGreaterThan(0);
    await untilGone(pid);
  });
});

it('ONNX Runtime is loaded for the first session, not where models are managed or files are read', async () => {
  const source = fileURLToPath(new URL('runtime/runtime-program.ts', import.meta.url));
  const args = [await bundleTestProgram(source), 'tellWhenLoaded'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim().split('\n')).toEqual(['false', 'true']);
});
