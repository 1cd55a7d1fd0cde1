// A trainer's evals: run on each adapter that is saved, reported to the cloud once, and in nobody's way.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type JobEvent, type ScoreReport } from '../../lib/contract/index.js';
import {
  type EvalContext,
  evalFailure,
  openSession,
  startRun,
  type TrainerOptions,
} from '../../lib/sdk/index.js';
import { checkpoint, completed, ended, log, started } from '../cli/support/job-events.js';
import { type FakeCloud, startFakeCloud } from '../support/fake-cloud.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { until } from '../support/until.js';

let root: string;
let cloud: FakeCloud;
/** What each chat was asked of, as JSON. */
let models: string[];
/** How many chats to refuse because the engine was shut down. */
let shutdowns: number;
/** How many reports to refuse because the database is locked. */
let locks: number;
let reports: ScoreReport[];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-evals-'));
  [models, reports, locks, shutdowns] = [[], [], 0, 0];
  cloud = await startFakeCloud({
    chat: ({ body }) => {
      if (shutdowns-- > 0) throw new ApiError('engine_unavailable', 'The engine was shut down.');
      models.push(JSON.stringify(body.adapter));
      const message = { role: 'assistant', content: 'yes' };
      return {
        id: 'chatcmpl-1',
        created: 1,
        model: 'svc/tiny',
        object: 'chat.completion',
        choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      };
    },
    recordScores: ({ params, body }) => {
      if (locks-- > 0) throw new ApiError('storage_unavailable', 'It is locked. This usually passes.');
      reports.push(body);
      const common = { type: 'score.recorded', jobId: params.id, timestamp: '2026-03-01T10:00:08.000Z' };
      const scores = Object.entries(body.scores).map(([name, value]) => ({
        ...common,
        step: body.step,
        name,
        value,
      }));
      for (const score of scores) if (!isEnded()) cloud.emit(params.id, score as JobEvent);
      return { scores };
    },
  });
});
afterEach(async () => {
  await cloud.close();
  await rm(root, { recursive: true, force: true });
});

const isEnded = () => cloud.jobs[0]!.events.some(({ type }) => type === 'end');

async function begin(options: Partial<TrainerOptions>) {
  const session = openSession({
    folder: root,
    env: { SVC_HOME: join(root, 'home'), SVC_CLOUD_URL: cloud.url },
    clock: createHastyClock(),
  });
  const told: string[] = [];
  const dataset = { type: 'rows', rows: [{ text: 'a' }] } as const;
  const run = await startRun({ name: 'x', dataset, ...options }, session, {
    onEvent: event =>
      told.push(event.type === 'score.recorded' ? `${event.name} ${event.step} ${event.value}` : event.type),
    onEvalFailed: failure => told.push(evalFailure(failure)),
  });
  const emit = (...events: JobEvent[]) => {
    for (const event of events) cloud.emit(run.job.id, { ...event, jobId: run.job.id });
  };
  return { run, told, emit };
}

describe('the evals of a trainer', () => {
  it('score each checkpoint and the final adapter, which they chat with', async () => {
    const { run, told, emit } = await begin({
      bestBy: 'yes',
      evals: {
        yes: async ({ infer, step }) => {
          const { choices } = await infer({ messages: [{ role: 'user', content: 'hi' }] });
          return choices[0]!.message.content === 'yes' ? step : 0;
        },
        kind: ({ adapter }) => adapter.kind.length,
      },
    });
    expect(cloud.jobs[0]!.job.config).toMatchObject({ evals: ['yes', 'kind'], bestBy: { score: 'yes' } });
    emit(started(), checkpoint({ step: 20 }), completed(), ended());
    expect(await run.wait()).toMatchObject({ status: 'completed' });
    const { id } = run.job;
    expect(models.map(each => JSON.parse(each))).toEqual([
      { kind: 'checkpoint', jobId: id, step: 20 },
      { kind: 'final', jobId: id },
    ]);
    expect(reports).toEqual([
      { step: 20, scores: { yes: 20 } },
      { step: 20, scores: { kind: 10 } },
      { step: 40, scores: { yes: 40 } },
      { step: 40, scores: { kind: 5 } },
    ]);
    expect(told.filter(each => each.includes(' ')).sort()).toEqual([
      'kind 20 10',
      'kind 40 5',
      'yes 20 20',
      'yes 40 40',
    ]);
  });

  it('hold up neither the events nor the callbacks, and the end only of the wait', async () => {
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const steps: number[] = [];
    const { run, told, emit } = await begin({
      evals: { slow: async () => held.then(() => 1) },
      callbacks: { onLog: ({ step }) => steps.push(step) },
    });
    let isOver = false;
    const waiting = run.wait().finally(() => {
      isOver = true;
    });
    emit(started(), checkpoint({ step: 20 }), log({ step: 21 }), completed({ artifacts: [] }), ended());
    await until(() => told.at(-1)).toBe('end');
    expect([steps, isOver]).toEqual([[21], false]);
    release();
    await waiting;
    expect(told.slice(-2)).toEqual(['end', 'slow 20 1']);
  });

  it('are told once when they fail, and are not run again', async () => {
    const thrower = vi.fn(() => {
      throw new Error('no key');
    });
    const { run, told, emit } = await begin({
      evals: { thrower, nothing: () => Number.NaN, text: () => '1' as unknown as number, good: () => 1 },
    });
    emit(started(), checkpoint({ step: 20 }), completed({ artifacts: [] }), ended());
    expect(await run.wait()).toMatchObject({ status: 'completed' });
    expect(told.filter(each => each.includes(' '))).toEqual([
      'No score for "thrower" at step 20: no key',
      'No score for "nothing" at step 20: It returned NaN, which is not a finite number.',
      `No score for "text" at step 20: It returned '1', which is not a finite number.`,
      'good 20 1',
    ]);
    expect(thrower).toHaveBeenCalledTimes(1);
    expect(reports).toEqual([{ step: 20, scores: { good: 1 } }]);
  });

  it('report again while the cloud cannot store the score, without being run again', async () => {
    locks = 2;
    const measure = vi.fn(() => 3);
    const { run, told, emit } = await begin({ evals: { measure } });
    emit(started(), checkpoint({ step: 20 }), completed({ artifacts: [] }), ended());
    await run.wait();
    expect(measure).toHaveBeenCalledTimes(1);
    expect(told.filter(each => each.startsWith('measure'))).toEqual(['measure 20 3']);
  });

  it('are run again where the engine was shut down in between', async () => {
    shutdowns = 2;
    const measure = vi.fn(async ({ infer }: EvalContext) => {
      const { choices } = await infer({ messages: [{ role: 'user', content: 'hi' }] });
      return choices.length;
    });
    const { run, told, emit } = await begin({ evals: { measure } });
    emit(started(), checkpoint({ step: 20 }), completed({ artifacts: [] }), ended());
    await run.wait();
    expect(measure).toHaveBeenCalledTimes(3);
    expect(told.filter(each => each.includes(' '))).toEqual(['measure 20 1']);
  });

  it('end with a cancelled run: what has not begun is left out, and what hangs is not waited for', async () => {
    const second = vi.fn(() => 1);
    const { run, emit } = await begin({ evals: { hangs: () => new Promise<number>(() => {}), second } });
    emit(started(), checkpoint({ step: 20 }), ended('cancelled'));
    expect(await run.wait()).toMatchObject({ status: 'cancelled' });
    expect(second).not.toHaveBeenCalled();
  });
});
