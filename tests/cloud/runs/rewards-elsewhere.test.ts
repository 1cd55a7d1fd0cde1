// A worker elsewhere asks for the rewards of its answers: it knows the rows by their places alone. They come from the job's
// grader, or from the program that started the job, however long that takes.
import { describe, expect, it } from 'vitest';
import type { RemoteAttempt } from '../../../lib/cloud/seams/runner.js';
import { FULL } from '../../../lib/cloud/store/storage-fault.js';
import {
  type Claim,
  type Job,
  type JobAnswers,
  type JobConfigInput,
  type PendingRewards,
  REWARDS_POLL_MS,
  type RewardOutcome,
  type RewardQuestion,
} from '../../../lib/contract/index.js';
import { openText } from '../../../lib/engine/text/index.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { failFiles } from '../fail-files.js';
import { scope, type TestOptions } from '../jobs/test-jobs.js';
import { cloudWithDoor } from './attempts-elsewhere.js';

const door = cloudWithDoor();

const rows = ['red', 'green', 'blue'].map(name => ({
  messages: [{ role: 'user', content: `Say ${name}.` }],
  name,
}));
const ROWS = rows.map(row => JSON.stringify(row)).join('\n');
const byProgram: JobConfigInput['method'] = { type: 'grpo', group: 2, reward: { type: 'function' } };

async function open(method: JobConfigInput['method'] = byProgram, options: TestOptions = {}) {
  const clock = createVirtualClock();
  const { jobs, attempts } = await door.open([ROWS], { clock, ...options }, { method });
  const [attempt] = attempts as [RemoteAttempt];
  const ask = async (claim: Claim, question: RewardQuestion) => {
    const response = await door.post(attempt.url, 'score', claim.token, question);
    expect(response.status).toBe(200);
    return (await response.json()) as RewardOutcome;
  };
  return { clock, id: jobs[0]!.id, attempt, ask };
}

const pendingOf = async (id: string) =>
  (await door.cloud.json<{ pending: PendingRewards | null }>('GET', `/v1/jobs/${id}/rewards${scope}`))
    .pending;
const report = (id: string, body: object) => door.cloud.json('POST', `/v1/jobs/${id}/rewards`, body);

const question = (step: number, ...texts: string[]): RewardQuestion => ({
  step,
  groups: [{ row: 1, answers: texts.map(text => ({ text })) }],
});
const REWARDS = [[{ reward: 1, parts: { right: 1 } }, { error: 'It broke.' }]];

describe('a worker that learns from rewards', () => {
  it('gets the tokens that end an answer, and no texts', async () => {
    const { attempt } = await open();
    const { rows: told, ...claim } = await door.claim(attempt);
    expect(told).toMatchObject({
      answers: { ends: (await openText(door.modelFolder)).endIds, hasTools: false },
    });
    expect(JSON.stringify({ told, claim })).not.toContain('Say');
  });

  it('has its answers rewarded by the program that started the job, with their rows and as text', async () => {
    const { attempt, id, ask } = await open();
    const claim = await door.claim(attempt);
    const text = await openText(door.modelFolder);
    const ids = [...text.encode('The green fox'), text.endIds[0]!];
    const asked = { step: 1, groups: [{ row: 1, answers: [{ ids }, { text: 'blue' }] }] };
    const answered = ask(claim, asked);
    const pending = await pendingOf(id);
    expect(pending).toMatchObject({
      step: 1,
      groups: [
        {
          row: 1,
          item: rows[1],
          messages: rows[1]!.messages,
          answers: [{ text: 'The green fox' }, { text: 'blue' }],
        },
      ],
    });
    await report(id, { id: pending!.id, rewards: REWARDS });
    expect(await answered).toEqual({ rewards: REWARDS });
    // An answer that was lost on the way is given again.
    expect(await ask(claim, asked)).toEqual({ rewards: REWARDS });
  });

  it('asks again while there are none, also after its attempt was claimed anew', async () => {
    const { attempt, id, ask, clock } = await open();
    const first = await door.claim(attempt);
    const early = ask(first, question(1, 'a', 'b'));
    const pending = (await pendingOf(id))!;
    let answer: RewardOutcome | null = null;
    void early.then(given => {
      answer = given;
    });
    await until(async () => {
      await clock.pass(REWARDS_POLL_MS);
      return answer;
    }).toEqual({ rewards: null });
    const second = await door.claim(attempt);
    const again = ask(second, question(1, 'a', 'b'));
    await report(id, { id: pending.id, rewards: REWARDS });
    expect(await again).toEqual({ rewards: REWARDS });
    const next = ask(second, question(2, 'a', 'b'));
    const later = (await pendingOf(id))!;
    expect(later.id).not.toBe(pending.id);
    await report(id, { id: later.id, rewards: [[{ reward: 0 }, { reward: 0 }]] });
    expect(await next).toEqual({ rewards: [[{ reward: 0 }, { reward: 0 }]] });
    const zombie = await door.post(attempt.url, 'score', first.token, question(2, 'a', 'b'));
    expect(zombie.status).toBe(401);
  });

  it('is told at once that it gets none if it is to stop', async () => {
    const { attempt, id, ask } = await open();
    const claim = await door.claim(attempt);
    const answered = ask(claim, question(1, 'a', 'b'));
    await until(() => pendingOf(id)).not.toBeNull();
    await door.cloud.json('POST', `/v1/jobs/${id}/cancel`);
    expect(await answered).toEqual({ rewards: null });
  });

  it('has its answers graded by the cloud', async () => {
    const reward = {
      type: 'string_check',
      name: 'named',
      input: '{{sample.output_text}}',
      reference: '{{item.name}}',
      operation: 'ilike',
    } as const;
    const { attempt, ask } = await open({ ...byProgram, type: 'grpo', reward });
    const claim = await door.claim(attempt);
    const answer = await ask(claim, question(1, 'It is green.', 'blue'));
    expect(answer).toEqual({ rewards: [[{ reward: 1 }, { reward: 0 }]] });
  });

  it('gets its rewards once the cloud can read its answers', async () => {
    let isFull = true;
    const wrapFiles = failFiles('readAnswers', () => isFull);
    const { attempt, id, ask, clock } = await open(byProgram, { wrapFiles });
    const claim = await door.claim(attempt);
    const answered = ask(claim, question(1, 'a', 'b'));
    const find = async () => (await door.cloud.json<{ job: Job }>('GET', `/v1/jobs/${id}`)).job;
    await until(async () => (await find()).waitingFor).toBe(FULL);
    isFull = false;
    await clock.pass(100);
    await until(() => pendingOf(id)).not.toBeNull();
    await report(id, { id: (await pendingOf(id))!.id, rewards: REWARDS });
    expect(await answered).toEqual({ rewards: REWARDS });
    expect((await find()).waitingFor).toBeNull();
  });

  it('may ask about a step in parts, all of which the cloud keeps answers of', async () => {
    const reward = {
      type: 'string_check',
      name: 'named',
      input: '{{sample.output_text}}',
      reference: '{{item.name}}',
      operation: 'ilike',
    } as const;
    const { attempt, id, ask } = await open({ ...byProgram, type: 'grpo', reward });
    const claim = await door.claim(attempt);
    const answers = [{ text: 'red, green or blue' }, { text: 'none' }];
    await ask(claim, { step: 1, groups: [{ row: 0, answers }] });
    await ask(claim, { step: 1, part: 1, groups: [{ row: 1, answers }] });
    await ask(claim, { step: 1, part: 2, groups: [{ row: 2, answers }] });
    const kept = await door.cloud.json<JobAnswers>('GET', `/v1/jobs/${id}/answers${scope}`);
    expect(kept).toMatchObject({ step: 1, total: 3, groups: [{ row: 0 }, { row: 1 }, { row: 2 }] });
  });

  it('is refused with a question that is none, or about another row', async () => {
    const { attempt, ask } = await open();
    const claim = await door.claim(attempt);
    for (const body of [{ step: 1 }, { ...question(1, 'a'), more: 1 }, { step: 1, groups: [{ row: 1 }] }])
      expect((await door.post(attempt.url, 'score', claim.token, body)).status).toBe(400);
    const unknown = { step: 1, groups: [{ row: 3, answers: [{ text: 'a' }] }] };
    expect(await ask(claim, unknown)).toEqual({ problem: 'The run has no row 3.' });
  });
});

it('rows with tools are refused by name', async () => {
  const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }];
  const clock = createVirtualClock();
  const lines = `${ROWS}\n${JSON.stringify({ ...rows[0], tools })}`;
  const { jobs } = await door.open([lines], { clock }, { method: byProgram }, { admits: false });
  const { error } = await door.cloud.until(jobs[0]!.id, 'failed');
  expect(error).toContain(
    "Rows with `tools` are learned from rewards by svc's own engine on the cloud's machine",
  );
});
