// Real training from rewards with a tiny model: what it learns and reports, and that a stopped run resumes exactly.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RewardRequest, RewardResponse } from '../../../lib/contract/index.js';
import type { DataSource } from '../../../lib/engine/train/data/index.js';
import type { RewardMethod, TrainOptions } from '../../../lib/engine/train/options.js';
import { createRewardObjective, type Score } from '../../../lib/engine/train/rewards/objective.js';
import type { TrainEvent } from '../../../lib/engine/train/training-loop.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { tinyModel } from '../tiny-model.js';
import { temporaryFolder } from './data/dataset-files.js';
import { isSaved, logsOf, prepareAndRun, readFinal, trainRequest } from './support.js';

const modelFolder = await tinyModel();

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const grader = { type: 'string_check', name: 'any', input: '', reference: '', operation: 'eq' } as const;
const method: RewardMethod = {
  type: 'grpo',
  reward: grader,
  group: 4,
  updates: 1,
  beta: 0.02,
  epsilon: 0.2,
  temperature: 1,
  maxTokens: 6,
};

const prompts = ['Hello', 'What is it?', 'Say something nice to me, please.', 'Yes', 'And now?', 'Go on.'];
const rows = prompts.map((content, i) => ({ messages: [{ role: 'user', content }], wanted: String(i) }));

/** The share of letters of an answer that are in the first half of the alphabet. */
const early = (text: string) => (text.match(/[a-m]/gi)?.length ?? 0) / Math.max(1, text.length);

const scoreBy =
  (of: (text: string) => RewardResponse['rewards'][number][number], asked: RewardRequest[] = []): Score =>
  async request => {
    asked.push(structuredClone(request));
    return { rewards: request.groups.map(({ answers }) => answers.map(({ text }) => of(text))) };
  };

const byLetters = (asked?: RewardRequest[]) => scoreBy(text => ({ reward: early(text) }), asked);

interface Start {
  options?: Partial<TrainOptions>;
  score?: Score;
  name?: string;
  data?: readonly unknown[];
  isLast?: (event: TrainEvent) => boolean;
  evaluationFraction?: number;
  evaluationSource?: DataSource;
  pause?: AbortSignal;
}

async function start({
  options,
  score = byLetters(),
  name = 'run',
  data = rows,
  isLast,
  ...rest
}: Start = {}) {
  const given = { loraR: 4, loraAlpha: 8, batchSize: 3, learningRate: 2e-2, maxSteps: 4, threads: 1, method };
  const request = await trainRequest(folder, name, data, {
    modelFolder,
    options: { ...given, ...options },
    roundedFolder: join(folder, 'rounded'),
    ...rest,
  });
  return prepareAndRun({ ...request, score }, {}, isLast);
}

/** Without the seconds that a step took. */
const measured = (events: readonly TrainEvent[]) =>
  logsOf(events).map(({ step, loss, metrics = {} }) => {
    const same = Object.entries(metrics).filter(([name]) => !name.endsWith('Seconds'));
    return { step, loss, metrics: Object.fromEntries(same) };
  });

describe('training from rewards', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('makes answers likelier that have higher rewards', async () => {
    const options = { maxSteps: 40, learningRate: 5e-2, method: { ...method, group: 8 } };
    const logs = logsOf(await start({ options }));
    const meanOf = (from: number, to: number) =>
      logs.slice(from, to).reduce((sum, { metrics }) => sum + metrics!.reward!, 0) / (to - from);
    expect(meanOf(35, 40)).toBeGreaterThan(meanOf(0, 5) + 0.2);
    // At first, the adapter changes nothing.
    expect(logs[0]!.metrics!.kl).toBeCloseTo(0, 5);
    expect(logs.at(-1)!.metrics!.kl).toBeGreaterThan(0.01);
  });

  it('asks for the rewards of each step, with the rows as they are', async () => {
    const asked: RewardRequest[] = [];
    await start({ score: byLetters(asked), options: { maxSteps: 2 } });
    expect(asked.map(({ step, groups }) => [step, groups.length])).toEqual([
      [1, 3],
      [2, 3],
    ]);
    for (const { row, item, messages, answers } of asked.flatMap(({ groups }) => groups)) {
      expect(item).toEqual(rows[row]);
      expect(messages).toEqual(rows[row]!.messages);
      expect(answers).toHaveLength(4);
    }
    // Each answer of a group has its own random numbers.
    expect(new Set(asked[0]!.groups[0]!.answers.map(({ text }) => text)).size).toBeGreaterThan(1);
  });

  it.each(['f32', 'int8'] as const)(
    'resumes after a stop with exactly the same answers and losses: %s',
    async weights => {
      const options = { weights, saveSteps: 2, maxSteps: 5, loraDropout: 0.1 };
      const [once, twice]: RewardRequest[][] = [[], []];
      const whole = await start({ options, name: 'whole', score: byLetters(once) });
      await start({ options, name: 'parts', isLast: isSaved(2), score: byLetters(twice) });
      const resumed = await start({ options, name: 'parts', score: byLetters(twice) });
      expect(resumed[0]).toMatchObject({ type: 'started', resumedFromStep: 2 });
      expect(measured(resumed)).toEqual(measured(whole).filter(({ step }) => step > 2));
      expect(twice).toEqual(once);
    },
  );

  it('learns several times from the same answers, and goes on exactly after a stop', async () => {
    const again = { ...method, updates: 3, epsilon: 0.05, beta: 0 };
    const options = { saveSteps: 2, loraDropout: 0.1, method: again };
    const once: RewardRequest[] = [];
    const twice: RewardRequest[] = [];
    const whole = await start({ options, name: 'whole', score: byLetters(once) });
    expect(once.map(({ step }) => step)).toEqual([1, 2, 3, 4]);
    for (const { metrics } of logsOf(whole)) {
      expect(metrics!.clippedTokens).toBeGreaterThan(0);
      // None of them has moved at the first update.
      expect(metrics!.clippedTokens).toBeLessThan(2 / 3);
    }
    await start({ options, name: 'parts', isLast: isSaved(2), score: byLetters(twice) });
    const resumed = await start({ options, name: 'parts', score: byLetters(twice) });
    expect(resumed[0]).toMatchObject({ type: 'started', resumedFromStep: 2 });
    expect(measured(resumed)).toEqual(measured(whole).filter(({ step }) => step > 2));
    expect(twice).toEqual(once);
    const single = await start({ options: { ...options, method: { ...again, updates: 1 } }, name: 'single' });
    expect(measured(single)[0]).not.toEqual(measured(whole)[0]);
    expect(logsOf(single)[0]!.metrics).not.toHaveProperty('clippedTokens');
  });

  it('goes on with a run that was stored before there could be several updates', async () => {
    const { updates: _, ...older } = method;
    const whole = await start({ name: 'whole' });
    const stored = await start({ name: 'stored', options: { method: older as RewardMethod } });
    expect(measured(stored)).toEqual(measured(whole));
  });

  it('counts groups without a difference and answers without a reward, and learns nothing from these', async () => {
    const same = await start({
      score: scoreBy(() => ({ reward: 0.5 })),
      options: { method: { ...method, beta: 0 } },
    });
    for (const { loss, metrics } of logsOf(same)) {
      expect(loss).toBe(0);
      expect(metrics).toMatchObject({ reward: 0.5, quietGroups: 1, failedRewards: 0 });
    }
    let count = 0;
    const score = scoreBy(text => (++count % 6 === 0 ? { error: 'It broke.' } : { reward: early(text) }));
    const [log] = logsOf(await start({ score, name: 'failing', options: { maxSteps: 1 } }));
    expect(log!.metrics!.failedRewards).toBeCloseTo(2 / 12, 5);
  });

  it('learns nothing again from a step in which nothing differs', async () => {
    const score: Score = async request => {
      const rewardOf = (text: string) => ({ reward: request.step === 1 ? early(text) : 0.5 });
      return { rewards: request.groups.map(({ answers }) => answers.map(({ text }) => rewardOf(text))) };
    };
    const options = { saveSteps: 1, maxSteps: 3, method: { ...method, beta: 0 } };
    await start({ score, options, name: 'whole' });
    await start({ score, options, name: 'parts', isLast: isSaved(1) });
    // It starts without a gradient.
    await start({ score, options, name: 'parts' });
    expect(await readFinal(folder, 'parts')).toEqual(await readFinal(folder, 'whole'));
  });

  it('fails with the first error when too many answers got no reward', async () => {
    let count = 0;
    const score = scoreBy(() => (++count % 3 === 0 ? { error: `It broke: ${count}.` } : { reward: 1 }));
    await expect(start({ score })).rejects.toThrow('4 of 12 answers got no reward. The first: It broke: 3.');
  });

  it('reports the parts of rewards, and the rewards of held-out prompts', async () => {
    const score = scoreBy(text => ({
      reward: early(text),
      parts: { letters: early(text), length: text.length },
    }));
    const events = await start({
      score,
      data: Array.from({ length: 40 }, (_, i) => chatOf(`Number ${i}`)),
      evaluationFraction: 0.3,
      options: { maxSteps: 2, evalSteps: 1 },
    });
    for (const { metrics, evalLoss } of logsOf(events)) {
      expect(metrics!['reward.letters']).toBeCloseTo(metrics!.reward!, 5);
      expect(metrics!.evalReward).toBeGreaterThanOrEqual(0);
      expect(metrics!['evalReward.length']).toBeGreaterThan(0);
      expect(evalLoss).toBeUndefined();
    }
  });

  it('rewards the answers to a file of held-out prompts by the rows of that file', async () => {
    const asked: RewardRequest[] = [];
    const path = join(folder, 'held-out.jsonl');
    const heldOut = ['Really?', 'Why not?'].map(question => ({ ...chatOf(question), wanted: question }));
    await writeFile(path, heldOut.map(row => `${JSON.stringify(row)}\n`).join(''));
    await start({
      score: byLetters(asked),
      evaluationSource: { type: 'file', path },
      options: { maxSteps: 1, evalSteps: 1 },
    });
    const evaluated = asked.flatMap(({ groups }) => groups).filter(({ answers }) => answers.length === 1);
    expect(evaluated.map(({ item }) => item)).toEqual(heldOut);
    expect(evaluated.map(({ row }) => row)).toEqual([rows.length, rows.length + 1]);
  });

  it('logs how long the parts of a step took, and leaves that out of the results', async () => {
    const events = await start({ options: { maxSteps: 2 } });
    for (const { metrics } of logsOf(events))
      for (const name of ['rolloutSeconds', 'rewardSeconds', 'trainingSeconds'])
        expect(metrics![name]).toBeGreaterThanOrEqual(0);
    const completed = events.find(event => event.type === 'completed');
    expect(completed!.metrics).toHaveProperty('reward');
    expect(completed!.metrics).not.toHaveProperty('rolloutSeconds');
  });

  it('answers with JSON where a schema says so', async () => {
    const asked: RewardRequest[] = [];
    const schema = {
      type: 'object',
      properties: { n: { type: 'boolean' } },
      required: ['n'],
      additionalProperties: false,
    };
    await start({
      score: byLetters(asked),
      options: { maxSteps: 1, method: { ...method, schema, maxTokens: 30 } },
    });
    const texts = asked.flatMap(({ groups }) =>
      groups.flatMap(({ answers }) => answers.map(({ text }) => text)),
    );
    expect(texts).toHaveLength(12);
    for (const text of texts) expect(JSON.parse(text)).toEqual({ n: expect.any(Boolean) });
  });

  it('stops while it waits for rewards', async () => {
    const stop = new AbortController();
    const score: Score = (_, signal) =>
      new Promise((_, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason));
        stop.abort(new Error('Canceled.'));
      });
    const request = await trainRequest(folder, 'stopped', rows, {
      modelFolder,
      options: { method, maxSteps: 2 },
    });
    await expect(prepareAndRun({ ...request, score, signal: stop.signal })).rejects.toThrow('Canceled.');
  });

  it('pauses while it waits for rewards, with what it has learned, and goes on with the same answers', async () => {
    const options = { maxSteps: 4, saveSteps: 100 };
    const [once, twice]: RewardRequest[][] = [[], []];
    const whole = await start({ options, name: 'whole', score: byLetters(once) });
    const pause = new AbortController();
    const untilThird: Score = (request, signal) => {
      if (request.step < 3) return byLetters(twice)(request, signal);
      pause.abort();
      return Promise.reject(pause.signal.reason);
    };
    const paused = await start({ options, name: 'parts', score: untilThird, pause: pause.signal });
    expect(paused.slice(-2)).toMatchObject([
      { type: 'checkpoint', step: 2 },
      { type: 'paused', step: 2 },
    ]);
    const resumed = await start({ options, name: 'parts', score: byLetters(twice) });
    expect(measured([...paused, ...resumed])).toEqual(measured(whole));
    expect(twice).toEqual(once);
  });

  it.each([2, 3])(
    'pauses while the evaluation after step %i of 3 waits for rewards, and says all of it once it goes on',
    async step => {
      const options = { maxSteps: 3, loggingSteps: 2, evalSteps: 1, saveSteps: 100 };
      const [once, twice]: RewardRequest[][] = [[], []];
      const common = { options, evaluationFraction: 0.3 };
      const whole = await start({ ...common, name: 'whole', score: byLetters(once) });
      const pause = new AbortController();
      const untilThen: Score = (request, signal) => {
        const isEvaluation = request.groups[0]!.answers.length === 1;
        if (request.step < step || !isEvaluation) return byLetters(twice)(request, signal);
        pause.abort();
        return Promise.reject(pause.signal.reason);
      };
      const paused = await start({ ...common, name: 'parts', score: untilThen, pause: pause.signal });
      expect(paused.slice(-2)).toMatchObject([
        { type: 'checkpoint', step },
        { type: 'paused', step },
      ]);
      const resumed = await start({ ...common, name: 'parts', score: byLetters(twice) });
      expect(measured([...paused, ...resumed])).toEqual(measured(whole));
      expect(twice).toEqual(once);
      const rates = logsOf([...paused, ...resumed]).map(({ learningRate, epoch }) => [learningRate, epoch]);
      expect(rates).toEqual(logsOf(whole).map(({ learningRate, epoch }) => [learningRate, epoch]));
      // No step was taken since it went on.
      expect(logsOf(resumed)[0]).not.toHaveProperty('tokensPerSecond');
      expect(resumed.at(-1)).toMatchObject({
        metrics: { evalReward: logsOf(whole).at(-1)!.metrics!.evalReward },
      });
    },
  );

  it('refuses rows that end with an answer', async () => {
    const answered = [{ messages: [...rows[0]!.messages, { role: 'assistant', content: 'Hi' }] }];
    await expect(start({ data: answered })).rejects.toThrow(
      "its last message is of the role assistant, but the method grpo answers prompts; end it with a user's message",
    );
  });
});

const chatOf = (content: string) => ({ messages: [{ role: 'user', content }] });

it('a step knows how long it sampled, and how long it waited for rewards', async () => {
  const clock = createVirtualClock();
  const prompt = { ids: Int32Array.of(1, 2), supervised: new Uint8Array(2) };
  const row = { item: {}, messages: [] };
  const answer = (id: number) => ({ ids: [id], text: `${id}`, calls: [], isCut: false });
  const objective = createRewardObjective({
    ...{ shape: { epsilon: 0.2, beta: 0 }, updates: 1, rowOf: () => row, close: async () => {}, clock },
    reference: {
      open: () => Promise.reject(new Error('It is not needed.')),
      adapter: null as never,
      close: async () => {},
    },
    async sample() {
      await clock.pass(4000);
      return [{ prompt, row, answers: [answer(3), answer(4)] }];
    },
    async score() {
      await clock.pass(1500);
      return { rewards: [[{ reward: 1 }, { reward: 0 }]] };
    },
  });
  const { seconds } = await objective.prepare([prompt], { step: 1, position: 0, pull: async () => {} });
  expect(seconds).toEqual({ rolloutSeconds: 4, rewardSeconds: 1.5 });
});
