// The training process as its callers see it: real training, real kills.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JobEvent, jobEvent } from '../../lib/contract/index.js';
import { type EngineEvent, startTraining, type TrainTask } from '../../lib/engine/index.js';
import { readAdapter } from '../../lib/engine/weights/index.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { until } from '../support/until.js';
import { untilGone } from '../support/until-gone.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const tsx = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;

let folder: string;
let modelFolder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-worker-'));
  modelFolder = await makeModelFolder();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(modelFolder, { recursive: true, force: true });
});

async function task(options: TrainTask['request']['options'] = {}, rows = chats(10)): Promise<TrainTask> {
  const path = join(folder, 'rows.jsonl');
  await writeFile(path, rows.join('\n'));
  return {
    jobId: 'job-1',
    request: {
      modelFolder,
      modelName: 'svc/tiny',
      source: { type: 'file', path },
      trainOn: 'assistant',
      options: { rank: 4, alpha: 8, batchSize: 4, learningRate: 1e-2, maxSteps: 6, threads: 1, ...options },
      folder: join(folder, 'out'),
      cacheFolder: join(folder, 'cache'),
    },
  };
}

function chats(count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      messages: [
        { role: 'user', content: `say ${i}` },
        { role: 'assistant', content: `the answer is ${i}` },
      ],
    }),
  );
}

async function run(given: TrainTask, onEvent: (event: EngineEvent) => void = () => {}) {
  const events: EngineEvent[] = [];
  const training = startTraining(given, event => {
    events.push(event);
    onEvent(event);
  });
  const end = await training.ended;
  return { events, ...end };
}

const losses = (events: readonly EngineEvent[]) =>
  events.flatMap(({ type, step, loss }) => (type === 'training.log' ? [[step, loss]] : []));

describe('a training process', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('trains and reports events of the contract', async () => {
    const { events, status, exitCode } = await run(await task({ saveSteps: 4 }));
    expect({ status, exitCode }).toEqual({ status: 'completed', exitCode: 0 });
    const parsed = events.map(event => jobEvent.parse(event) as JobEvent);
    expect(parsed.map(({ type }) => type)).toEqual([
      'training.started',
      ...Array(4).fill('training.log'),
      'checkpoint.saved',
      ...Array(2).fill('training.log'),
      'training.completed',
    ]);
    expect(parsed[0]).toMatchObject({
      jobId: 'job-1',
      model: 'svc/tiny',
      dataset: 'rows.jsonl',
      totalSteps: 6,
      rows: expect.any(Number),
    });
    for (const event of parsed.filter(({ type }) => type === 'training.log')) {
      const { tokens, memoryBytes, cpuPercent } = event as unknown as Record<string, number>;
      expect(tokens).toBeGreaterThan(0);
      expect(memoryBytes).toBeGreaterThan(10 * 1024 ** 2);
      expect(cpuPercent).toBeGreaterThanOrEqual(0);
    }
    const last = parsed.at(-1)!;
    expect(
      last.type === 'training.completed' && last.artifacts.map(({ name, kind, step }) => [name, kind, step]),
    ).toEqual([
      ['checkpoint-4', 'checkpoint', 4],
      ['final', 'final', 6],
    ]);
    await readAdapter(join(folder, 'out', 'final'));
  });

  it('resumes after a kill with the losses of an uninterrupted run', async () => {
    const given = await task({ maxSteps: 8, saveSteps: 3 });
    const whole = await run({ ...given, request: { ...given.request, folder: join(folder, 'whole') } });
    const killed: EngineEvent[] = [];
    const training = startTraining(given, event => {
      killed.push(event);
      if (event.type === 'checkpoint.saved') process.kill(training.pid, 'SIGKILL');
    });
    expect(await training.ended).toMatchObject({ status: 'failed', signal: 'SIGKILL' });
    const resumed = await run(given);
    expect(resumed.events[0]).toMatchObject({ type: 'training.started', resumedFromStep: 3 });
    const before = losses(killed).filter(([step]) => (step as number) <= 3);
    expect([...before, ...losses(resumed.events)]).toEqual(losses(whole.events));
  });

  it('reports damaged checkpoints that it could not resume from', async () => {
    const given = await task({ maxSteps: 5, saveSteps: 3 });
    await run(given);
    await truncate(join(given.request.folder, 'checkpoint-3', 'optimizer.safetensors'), 100);
    const { events, status } = await run(given);
    expect(status).toBe('completed');
    expect(jobEvent.parse(events[0])).toMatchObject({ damagedCheckpoints: [3] });
    expect(events[0]).not.toHaveProperty('resumedFromStep');
  });

  it('is killed if it is suspended for long, and resumes like one that died', async () => {
    const given = await task({ maxSteps: 8, saveSteps: 3 });
    const clock = createVirtualClock();
    const training = startTraining(
      given,
      event => {
        if (event.type !== 'checkpoint.saved') return;
        process.kill(training.pid, 'SIGSTOP');
        void clock.pass(61_000);
      },
      undefined,
      clock,
    );
    expect(await training.ended).toEqual({ status: 'failed', exitCode: null, signal: 'SIGKILL', hung: true });
    expect((await run(given)).events[0]).toMatchObject({ type: 'training.started', resumedFromStep: 3 });
  });

  it('loses no events while its parent is busy', async () => {
    const given = await task({ maxSteps: 1200, threads: 1, learningRate: 1e-4 });
    const events: EngineEvent[] = [];
    let wasBusy = false;
    const training = startTraining(given, event => {
      events.push(event);
      if (!wasBusy) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);
      wasBusy = true;
    });
    expect(await training.ended).toMatchObject({ status: 'completed', exitCode: 0 });
    expect(events).toHaveLength(1202);
    expect(events.at(-1)!.type).toBe('training.completed');
  });

  it('lists every checkpoint at the end, and each can be read', async () => {
    const { events } = await run(await task({ maxSteps: 6, saveSteps: 1, keepCheckpoints: 2 }));
    const last = jobEvent.parse(events.at(-1)) as JobEvent;
    const names = [1, 2, 3, 4, 5].map(step => `checkpoint-${step}`).concat('final');
    expect(last.type === 'training.completed' && last.artifacts.map(({ name }) => name)).toEqual(names);
    for (const name of names) await readAdapter(join(folder, 'out', name));
  });

  it('runs one step and keeps nothing in a trial', async () => {
    const { events, status } = await run({ ...(await task()), dryRun: true });
    expect(status).toBe('completed');
    expect(events.map(({ type }) => type)).toEqual([
      'training.started',
      'training.log',
      'training.completed',
    ]);
    expect(events.at(-1)).toMatchObject({ artifacts: [] });
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('pauses after a step with a checkpoint, and resumes with the same losses', async () => {
    const options = { maxSteps: 100, saveSteps: 1000 };
    const given = await task(options);
    const whole = await run({ ...given, request: { ...given.request, folder: join(folder, 'whole') } });
    const paused: EngineEvent[] = [];
    const training = startTraining(given, event => {
      paused.push(event);
      if (event.type === 'training.log' && event.step === 3) training.pause();
    });
    expect(await training.ended).toMatchObject({ status: 'paused', exitCode: 0 });
    expect(paused.at(-1)!.type).toBe('checkpoint.saved');
    const resumed = await run(given);
    expect([...losses(paused), ...losses(resumed.events)]).toEqual(losses(whole.events));
  });

  it('waits for a slow parent, and loses no events', async () => {
    const held: (() => void)[] = [];
    const steps: unknown[] = [];
    let isHeld = true;
    const training = startTraining(await task({ maxSteps: 400, learningRate: 1e-4 }), event => {
      if (event.type === 'training.log') steps.push(event.step);
      return isHeld ? new Promise<void>(resolve => held.push(resolve)) : undefined;
    });
    await until(() => held.length).toBe(256);
    await new Promise(resolve => setTimeout(resolve, 300));
    expect(held).toHaveLength(256);
    isHeld = false;
    for (const release of held) release();
    expect(await training.ended).toMatchObject({ status: 'completed' });
    expect(steps).toEqual(Array.from({ length: 400 }, (_, i) => i + 1));
  });

  it('still stops on request while it waits for its parent', async () => {
    let taken = 0;
    const training = startTraining(await task({ maxSteps: 100_000, learningRate: 1e-4 }), () => {
      taken++;
      return new Promise<void>(() => {});
    });
    await until(() => taken).toBe(256);
    training.cancel();
    expect(await training.ended).toMatchObject({ status: 'cancelled' });
  });

  it('stops after a pass when cancelled', async () => {
    const training = startTraining(await task({ maxSteps: 100_000 }), event => {
      if (event.type === 'training.log' && event.step === 2) training.cancel();
    });
    expect(await training.ended).toMatchObject({ status: 'cancelled' });
  });

  it.each([
    ['{"messages":[{"role":"user","content":"x"}]}', /^rows\.jsonl, row 1: .*assistant/],
    ['{"messages"', /^rows\.jsonl, row 1: .*JSON/],
    ['{"color":"red"}', /^rows\.jsonl.*color/],
  ])('reports what is wrong with a row: %s', async (row, reason) => {
    const { events, status } = await run(await task({}, [row]));
    expect(status).toBe('failed');
    expect(events).toHaveLength(1);
    expect(jobEvent.parse(events[0])).toMatchObject({
      type: 'training.failed',
      error: expect.stringMatching(reason),
    });
  });

  it('reports with a code that its folder holds another run', async () => {
    await run(await task({ saveSteps: 3 }));
    const { events, status } = await run(await task({ saveSteps: 3, rank: 2 }));
    expect(status).toBe('failed');
    expect(events.at(-1)).toMatchObject({ type: 'training.failed', code: 'other_run' });
  });

  it('reports what is wrong with a model', async () => {
    await writeFile(join(modelFolder, 'config.json'), '{"model_type":"mamba"}');
    const { events } = await run(await task());
    expect(events.at(-1)).toMatchObject({
      error: expect.stringContaining('model_type "mamba" is not supported'),
    });
  });

  /** The output of a program, in another folder, that starts the training; it has `run`, and `event` for each event. */
  async function trainElsewhere(given: TrainTask, onEvent: string): Promise<string> {
    const script = join(folder, 'parent.ts');
    const door = new URL('../../lib/engine/index.ts', import.meta.url).href;
    await writeFile(
      script,
      `import { startTraining } from ${JSON.stringify(door)};
       const run = startTraining(${JSON.stringify(given)}, event => { ${onEvent} });`,
    );
    const parent = promisify(execFile)(process.execPath, ['--import', tsx, script], { cwd: folder });
    return (await parent.catch((error: { stdout: string }) => error)).stdout.trim();
  }

  it('starts from any working directory', async () => {
    const printed = await trainElsewhere(await task({ maxSteps: 1 }), 'console.log(event.type);');
    expect(printed.split('\n')).toEqual(['training.started', 'training.log', 'training.completed']);
  });

  it('exits when its parent dies', async () => {
    const given = await task({ maxSteps: 100_000 });
    const pid = Number(
      await trainElsewhere(
        given,
        `if (event.type !== 'training.log') return;
         console.log(run.pid);
         process.kill(process.pid, 'SIGKILL');`,
      ),
    );
    expect(pid).toBeGreaterThan(0);
    await untilGone(pid);
  });
});

describe('the parent process', () => {
  /** Whether importing this file of the engine loads ONNX Runtime's library into a process. */
  async function loadsRuntime(file: string): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--import',
      tsx,
      '--input-type=module',
      '-e',
      `await import(${JSON.stringify(new URL(`../../lib/engine/${file}`, import.meta.url).href)});
       console.log(process.report.getReport().sharedObjects.some(path => path.includes('onnxruntime')));`,
    ]);
    return stdout.trim();
  }

  it('never loads ONNX Runtime', async () => {
    expect(await loadsRuntime('index.ts')).toBe('false');
    expect(await loadsRuntime('runtime/index.ts')).toBe('true');
  });
});
