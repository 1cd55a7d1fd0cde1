// A trainer's reward function: called in this process for each answer, in nobody's way, and never the reason that a job hangs.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Clock, realClock } from '../../lib/clock/index.js';
import { ApiError, type JobEvent, type PendingRewards, type RewardReport } from '../../lib/contract/index.js';
import {
  attachToJob,
  createTrainer,
  rewardFailure,
  startRun,
  type TrainerOptions,
} from '../../lib/sdk/index.js';
import type { RewardContext, RewardFunction } from '../../lib/sdk/trainer/options.js';
import { checkpoint, completed, ended, log, started } from '../cli/support/job-events.js';
import type { FakeCloud } from '../support/fake-cloud.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { openFakeCloud, openPromise, sessionIn } from './support.js';

let cloud: FakeCloud;
let reports: RewardReport[];
/** What the cloud hands out, one after another, unless the program knows it. */
let queue: PendingRewards[];
/** Errors that the cloud answers with first. */
let faults: { asked: ApiError[]; reported: ApiError[] };
let wake: () => void;
/** The answers that the program said that it knows, when it asked last. */
let known: string | undefined;
beforeEach(async () => {
  [reports, queue, faults, known] = [[], [], { asked: [], reported: [] }, undefined];
  cloud = await openFakeCloud({
    awaitRewards: async ({ query, request }) => {
      ({ known } = query);
      if (faults.asked.length > 0) throw faults.asked.shift()!;
      const next = () => queue.find(({ id }) => id !== query.known) ?? null;
      if (!next())
        await new Promise<void>(resolve => {
          wake = resolve;
          request.signal.addEventListener('abort', () => resolve());
        });
      return { pending: next() };
    },
    reportRewards: ({ body }) => {
      if (faults.reported.length > 0) throw faults.reported.shift()!;
      reports.push(body);
      const before = queue.length;
      queue = queue.filter(({ id }) => id !== body.id);
      return { accepted: queue.length < before };
    },
  });
  wake = () => {};
});

function pend(step: number, ...texts: string[]): void {
  const answers = texts.map(text => ({ text }));
  const messages = [{ role: 'user', content: 'double it' }];
  queue.push({ id: `answers-${step}`, step, groups: [{ row: 0, item: { n: step }, messages, answers }] });
  wake();
}

const dataset = { type: 'rows', rows: [{ prompt: 'a' }] } as const;
const options = (reward: RewardFunction, more: object = {}): TrainerOptions => ({
  name: 'x',
  dataset,
  method: { type: 'grpo', reward, ...more },
});

async function begin(reward: RewardFunction, more: object = {}, clock?: Clock) {
  const session = sessionIn(temporaryFolder('svc-rewards'), cloud, clock ?? createHastyClock());
  const failures: string[] = [];
  const run = await startRun(options(reward, more), session, {
    onRewardsFailed: failure => failures.push(rewardFailure(failure)),
  });
  const emit = (...events: JobEvent[]) => {
    for (const event of events) cloud.emit(run.job.id, { ...event, jobId: run.job.id });
  };
  const finish = async (waiting: Promise<unknown>) => {
    emit(completed({ artifacts: [] }), ended());
    expect(await waiting).toMatchObject({ status: 'completed' });
  };
  return { run, session, failures, emit, finish };
}

describe('the reward function of a trainer', () => {
  it('stays in this process, and gets each answer with its row', async () => {
    const seen: [string, Omit<RewardContext, 'signal'>][] = [];
    const { run, finish } = await begin((answer, { signal: _, ...context }) => {
      seen.push([answer, context]);
      return context.row.n === Number(answer) ? { reward: 1, parts: { right: 1 } } : 0;
    });
    expect(cloud.jobs[0]!.job.config).toMatchObject({
      method: { type: 'grpo', reward: { type: 'function' } },
    });
    const waiting = run.wait();
    pend(2, '2', '4');
    await until(() => reports.length).toBe(1);
    expect(reports).toEqual([
      { id: 'answers-2', rewards: [[{ reward: 1, parts: { right: 1 } }, { reward: 0 }]] },
    ]);
    const context = {
      row: { n: 2 },
      messages: [{ role: 'user', content: 'double it' }],
      toolCalls: [],
      step: 2,
    };
    expect(seen).toEqual([
      ['2', context],
      ['4', context],
    ]);
    pend(3, '3');
    await until(() => reports.length).toBe(2);
    await finish(waiting);
  });

  it('is called for many answers at once, and for all of them', async () => {
    const held = openPromise();
    let running = 0;
    let most = 0;
    const { run, finish } = await begin(async answer => {
      most = Math.max(most, ++running);
      if (most === 32) held.resolve();
      await held.promise;
      running--;
      return Number(answer);
    });
    const waiting = run.wait();
    pend(1, ...Array.from({ length: 100 }, (_, i) => String(i)));
    await until(() => reports.length).toBe(1);
    expect(most).toBe(32);
    expect(reports[0]!.rewards[0]!.map(one => 'reward' in one && one.reward)).toEqual(
      Array.from({ length: 100 }, (_, i) => i),
    );
    await finish(waiting);
  });

  it('leaves out answers for which it throws, gives no number or is too slow, and says so once a step', async () => {
    let isToldToStop = false;
    const rewards: Record<string, RewardFunction> = {
      throws: () => {
        throw new Error('no parser');
      },
      text: () => '1' as unknown as number,
      nothing: () => undefined as unknown as number,
      infinite: () => Number.POSITIVE_INFINITY,
      parts: () => ({ reward: 1, parts: { a: Number.NaN } }),
      slow: (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            isToldToStop = true;
          });
        }),
      good: async () => 0.5,
    };
    const { run, failures, finish } = await begin(
      (answer, context) => rewards[answer]!(answer, context),
      {
        rewardTimeoutMs: 50,
      },
      realClock,
    );
    const waiting = run.wait();
    pend(4, ...Object.keys(rewards));
    await until(() => reports.length).toBe(1);
    expect(reports[0]!.rewards[0]).toEqual([
      { error: 'no parser' },
      { error: "It returned '1', which is not a finite number." },
      { error: 'It returned undefined, which is not a finite number.' },
      { error: 'It returned Infinity, which is not a finite number.' },
      { error: 'Its part a is NaN, which is not a finite number.' },
      { error: 'It took longer than 0.05 s.' },
      { reward: 0.5 },
    ]);
    expect(isToldToStop).toBe(true);
    expect(failures).toEqual(['6 of 7 answers of step 4 got no reward: no parser']);
    await finish(waiting);
  });

  it('is not called again for the same answers, though a restarted cloud asks again', async () => {
    const calls: string[] = [];
    const { run, finish } = await begin(answer => {
      calls.push(answer);
      return 1;
    });
    const away = () => new ApiError('storage_unavailable', 'It is locked.');
    faults = { asked: [away(), away()], reported: [away()] };
    const waiting = run.wait();
    pend(1, 'a');
    await until(() => reports.length).toBe(1);
    // It knows these answers until it hears that its report has come.
    await until(() => known).toBe('answers-1');
    await until(() => {
      wake();
      return known;
    }).toBeUndefined();
    pend(1, 'a');
    await until(() => reports.length).toBe(2);
    expect(calls).toEqual(['a']);
    await finish(waiting);
  });

  it('ends the wait with an error if the cloud refuses its rewards', async () => {
    const { run } = await begin(() => 1);
    faults.reported = [new ApiError('invalid_value', 'Not these.')];
    const waiting = expect(run.wait()).rejects.toThrow('Not these.');
    pend(1, 'a');
    await waiting;
  });

  it.each([
    [{ type: 'grpo' }, '`method.reward` must be a function, or one of the graders.'],
    [{ type: 'grpo', reward: 'eq' }, '`method.reward` must be a function'],
    [
      { type: 'grpo', reward: () => 1, rewardTimeoutMs: 0 },
      '`method.rewardTimeoutMs` must be a number above 0.',
    ],
    [{ type: 'grpo', reward: { type: 'python', source: '' } }, 'svc runs no code that a request brings'],
  ])('is checked before anything runs: %j', (method, problem) => {
    expect(() => createTrainer({ name: 'x', dataset, method: method as never })).toThrow(problem);
  });
});

describe('a trainer that takes up a job', () => {
  it('computes its rewards, and hears only of what is new', async () => {
    const { run, session, emit, finish } = await begin(() => 1);
    emit(started(), log({ step: 1 }), checkpoint({ step: 1 }));
    const told: string[] = [];
    const attached = await attachToJob(
      options(answer => answer.length),
      run.job.id,
      session,
      {
        onEvent: ({ type }) => told.push(type),
      },
    );
    expect(attached.job.id).toBe(run.job.id);
    const waiting = attached.wait();
    pend(2, 'abc');
    await until(() => reports.length).toBe(1);
    expect(reports).toEqual([{ id: 'answers-2', rewards: [[{ reward: 3 }]] }]);
    await finish(waiting);
    expect(told).toEqual(['training.completed', 'end']);
    expect(cloud.jobs).toHaveLength(1);
  });

  it('refuses one that has ended, and one that learns in another way', async () => {
    const { run, session } = await begin(() => 1);
    const other = { name: 'y', dataset };
    await expect(attachToJob(other, run.job.id, session)).rejects.toThrow(
      'the trainer y has no reward function. Attach the trainer that started it.',
    );
    const plain = await startRun(other, session);
    await expect(
      attachToJob(
        options(() => 1),
        plain.job.id,
        session,
      ),
    ).rejects.toThrow('The trainer x has a reward function');
    await run.cancel();
    await expect(
      attachToJob(
        options(() => 1),
        run.job.id,
        session,
      ),
    ).rejects.toThrow(`Job ${run.job.id} has ended: it is cancelled.`);
  });

  it('refuses one that ends while its log is read, of which nothing more would come', async () => {
    const { run, session, emit } = await begin(() => 1);
    const client = await session.projectClient();
    async function* readJobLog(...asked: Parameters<typeof client.readJobLog>) {
      emit(completed({ artifacts: [] }), ended());
      cloud.jobs[0]!.job.status = 'completed';
      yield* client.readJobLog(...asked);
    }
    const late = { ...session, projectClient: async () => ({ ...client, readJobLog }) };
    const attaching = attachToJob(
      options(() => 1),
      run.job.id,
      late,
    );
    await expect(attaching).rejects.toThrow(`Job ${run.job.id} has ended: it is completed.`);
  });
});
