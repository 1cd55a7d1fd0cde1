// A trainer's evals: run on each adapter that is saved, reported to the cloud once, and in nobody's way.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type JobEvent, type ScoreReport } from '../../lib/contract/index.js';
import { evalFailure, startRun, type TrainerOptions } from '../../lib/sdk/index.js';
import type { EvalContext } from '../../lib/sdk/trainer/options.js';
import { at, checkpoint, completed, ended, log, started } from '../cli/support/job-events.js';
import type { FakeCloud } from '../support/fake-cloud.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { openFakeCloud, openPromise, sessionIn, toCompletion } from './support.js';

let cloud: FakeCloud;
/** What each chat was asked of. */
let adapters: unknown[];
/** How many chats to refuse because the engine was shut down, and reports because the database is locked. */
let faults: { shutdowns: number; locks: number };
let reports: ScoreReport[];
beforeEach(async () => {
  [adapters, reports, faults] = [[], [], { shutdowns: 0, locks: 0 }];
  const isEnded = () => cloud.jobs[0]!.events.some(({ type }) => type === 'end');
  cloud = await openFakeCloud({
    chat: ({ body }) => {
      if (faults.shutdowns-- > 0) throw new ApiError('engine_unavailable', 'The engine was shut down.');
      adapters.push(body.adapter);
      return toCompletion('yes');
    },
    cancelJob: () => {
      throw new ApiError('storage_unavailable', 'It is locked.');
    },
    recordScores: ({ params, body }) => {
      if (faults.locks-- > 0) throw new ApiError('storage_unavailable', 'It is locked. This usually passes.');
      reports.push(body);
      const common = { type: 'score.recorded', jobId: params.id, timestamp: at(8), step: body.step };
      const scores = Object.entries(body.scores).map(([name, value]) => ({ ...common, name, value }));
      for (const score of scores) if (!isEnded()) cloud.emit(params.id, score as JobEvent);
      return { scores };
    },
  });
});

async function begin(options: Partial<TrainerOptions>) {
  const session = sessionIn(temporaryFolder('svc-evals'), cloud, createHastyClock());
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
  /** What was told of scores. */
  const scores = () => told.filter(each => each.includes(' '));
  return { run, told, scores, emit };
}

const saved = checkpoint({ step: 20 });
const done = [completed({ artifacts: [] }), ended()];
const ask = ({ infer }: EvalContext) => infer({ messages: [{ role: 'user', content: 'hi' }] });

describe('the evals of a trainer', () => {
  it('score each checkpoint and the final adapter, which they chat with', async () => {
    const yes = async (context: EvalContext) =>
      (await ask(context)).choices[0]!.message.content === 'yes' ? context.step : 0;
    const evals = { yes, kind: ({ adapter }: EvalContext) => adapter.kind.length };
    const { run, scores, emit } = await begin({ bestBy: 'yes', evals });
    expect(cloud.jobs[0]!.job.config).toMatchObject({ evals: ['yes', 'kind'], bestBy: { score: 'yes' } });
    emit(started(), saved, completed(), ended());
    expect(await run.wait()).toMatchObject({ status: 'completed' });
    const jobId = run.job.id;
    expect(adapters).toEqual([
      { kind: 'checkpoint', jobId, step: 20 },
      { kind: 'final', jobId },
    ]);
    expect(reports).toEqual([
      { step: 20, scores: { yes: 20 } },
      { step: 20, scores: { kind: 10 } },
      { step: 40, scores: { yes: 40 } },
      { step: 40, scores: { kind: 5 } },
    ]);
    expect(scores().sort()).toEqual(['kind 20 10', 'kind 40 5', 'yes 20 20', 'yes 40 40']);
  });

  it('hold up neither the events nor the callbacks, and the end only of the wait', async () => {
    const held = openPromise();
    const steps: number[] = [];
    const { run, told, emit } = await begin({
      evals: { slow: () => held.promise.then(() => 1) },
      callbacks: { onLog: ({ step }) => steps.push(step) },
    });
    let isOver = false;
    const waiting = run.wait().finally(() => {
      isOver = true;
    });
    emit(started(), saved, log({ step: 21 }), ...done);
    await until(() => told.at(-1)).toBe('end');
    expect([steps, isOver]).toEqual([[21], false]);
    held.resolve();
    await waiting;
    expect(told.slice(-2)).toEqual(['end', 'slow 20 1']);
  });

  it('are told once when they fail, and are not run again', async () => {
    const thrower = vi.fn(() => {
      throw new Error('no key');
    });
    const text = () => '1' as unknown as number;
    const { run, scores, emit } = await begin({
      evals: { thrower, nothing: () => Number.NaN, text, good: () => 1 },
    });
    emit(started(), saved, ...done);
    expect(await run.wait()).toMatchObject({ status: 'completed' });
    expect(scores()).toEqual([
      'No score for "thrower" at step 20: no key',
      'No score for "nothing" at step 20: It returned NaN, which is not a finite number.',
      `No score for "text" at step 20: It returned '1', which is not a finite number.`,
      'good 20 1',
    ]);
    expect(thrower).toHaveBeenCalledTimes(1);
    expect(reports).toEqual([{ step: 20, scores: { good: 1 } }]);
  });

  it.each([
    ['report again while the cloud cannot store the score, without being run again', { locks: 2 }, 1],
    ['are run again where the engine was shut down in between', { shutdowns: 2 }, 3],
  ])('%s', async (_, wrong, times) => {
    Object.assign(faults, wrong);
    const measure = vi.fn(async (context: EvalContext) => (await ask(context)).choices.length);
    const { run, scores, emit } = await begin({ evals: { measure } });
    emit(started(), saved, ...done);
    await run.wait();
    expect(measure).toHaveBeenCalledTimes(times);
    expect(scores()).toEqual(['measure 20 1']);
  });

  it('go on when the run could not be canceled', async () => {
    const { run, scores, emit } = await begin({ evals: { good: () => 1 } });
    emit(started());
    await expect(run.cancel()).rejects.toThrow('It is locked.');
    emit(saved, ...done);
    await run.wait();
    expect(scores()).toEqual(['good 20 1']);
  });

  it('end with a cancelled run: what has not begun is left out, and what hangs is not waited for', async () => {
    const second = vi.fn(() => 1);
    const { run, emit } = await begin({ evals: { hangs: () => new Promise<number>(() => {}), second } });
    emit(started(), saved, ended('cancelled'));
    expect(await run.wait()).toMatchObject({ status: 'cancelled' });
    expect(second).not.toHaveBeenCalled();
  });
});
