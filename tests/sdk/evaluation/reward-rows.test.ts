// Evaluating by the reward that a trainer learns from: rows without answers are asked as in training, and its function or grader
// scores what comes.
import { beforeEach, describe, expect, it } from 'vitest';
import type { InferenceRequest, Rewarded } from '../../../lib/contract/index.js';
import { type EvaluateOptions, evaluate, openRewarding } from '../../../lib/sdk/index.js';
import type { GrpoMethod, RewardFunction } from '../../../lib/sdk/trainer/options.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { createHastyClock } from '../../support/hasty-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openFakeCloud, sessionIn, toCompletion } from '../support.js';
import { base, trainedBy } from './targets.js';

interface Graded {
  grader: unknown;
  answers: { item: Record<string, unknown>; text: string; toolCalls?: object[] }[];
}

let cloud: FakeCloud;
let asked: InferenceRequest[];
let graded: Graded[];
let reply: (request: InferenceRequest) => Parameters<typeof toCompletion>[0];
let folder: string;
beforeEach(async () => {
  [asked, graded] = [[], []];
  reply = ({ messages }) => messages.at(-1)!.content as string;
  cloud = await openFakeCloud({
    chat: ({ body }) => {
      asked.push(body);
      return toCompletion(reply(body));
    },
    gradeAnswers: ({ body }: { body: Graded }) => {
      graded.push(body);
      return {
        rewards: body.answers.map(({ text, item }): Rewarded => ({ reward: Number(text === item.right) })),
      };
    },
  });
  folder = temporaryFolder('svc-rewarding');
});

function run(
  reward: GrpoMethod['reward'] | null,
  rows: readonly object[],
  { method, ...options }: Partial<EvaluateOptions> & { method?: Partial<GrpoMethod> } = {},
) {
  const session = sessionIn(folder, cloud, createHastyClock());
  const trainer = reward ? { method: { type: 'grpo', reward, ...method } as GrpoMethod } : {};
  return evaluate(session, {
    target: base,
    data: { type: 'rows', rows, name: 'prompts' },
    reward: async () =>
      openRewarding(trainer, { cloud: () => session.projectClient(), clock: session.clock, env: {} }),
    ...options,
  });
}

const promptOf = (content: string, more: object = {}) => ({ messages: [{ role: 'user', content }], ...more });
const isRight: RewardFunction = (answer, { row }) => ({
  reward: answer === row.right ? 2 : -1,
  parts: { letters: answer.length },
});

describe('a function', () => {
  it('rewards the answers to prompts, which are asked as in training', async () => {
    const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }];
    const schema = { type: 'object' };
    const seen: unknown[] = [];
    const reward: RewardFunction = (answer, { signal: _, ...context }) => {
      seen.push({ answer, ...context });
      return isRight(answer, { signal: _, ...context }) as ReturnType<RewardFunction> & object;
    };
    const rows = [
      promptOf('a', { right: 'a' }),
      promptOf('b', { right: 'x', tools }),
      { prompt: 'c', right: 'c' },
    ];
    const { scores, task, data } = await run(reward, rows, { method: { schema } });
    expect(scores.map(({ name, value }) => [name, value])).toEqual([
      ['reward', 1],
      ['rewardSpread', Math.sqrt(3)],
      ['reward.letters', 1],
    ]);
    expect([task, data.name]).toEqual([{ name: null, kind: 'reward' }, 'prompts']);
    const inOrder = asked.toSorted((one, other) =>
      String(one.messages[0]!.content).localeCompare(String(other.messages[0]!.content)),
    );
    expect(inOrder).toMatchObject([
      { schema, temperature: 0, maxTokens: 256 },
      { tools, temperature: 0 },
      { schema, messages: [{ role: 'user', content: 'c' }] },
    ]);
    expect(seen).toContainEqual({
      ...{ answer: 'b', row: rows[1], toolCalls: [], step: 0 },
      messages: [{ role: 'user', content: 'b' }],
    });
    expect(cloud.evaluations[0]!.rows.map(({ row }) => row)).toEqual([2, 1, 3]);
  });

  it('gets the calls of an answer, and the limits that the trainer or the caller sets', async () => {
    const call = { id: 'call_9', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
    reply = () => ({ content: null, tool_calls: [call] });
    const seen: unknown[] = [];
    const reward: RewardFunction = (answer, { toolCalls }) => {
      seen.push([answer, toolCalls]);
      return toolCalls.length;
    };
    const tools = [{ type: 'function', function: { name: 'add' } }];
    await run(reward, [promptOf('a', { tools })], { method: { maxTokens: 40 } });
    expect(seen).toEqual([['', [call]]]);
    await run(reward, [promptOf('b', { tools })], { method: { maxTokens: 40 }, maxTokens: 9 });
    expect(asked.map(({ maxTokens }) => maxTokens)).toEqual([40, 9]);
  });

  it('compares two candidates by it', async () => {
    reply = ({ adapter, messages }) => (adapter ? (messages[0]!.content as string) : 'no idea');
    const rows = Array.from({ length: 30 }, (_, i) => promptOf(`${i}`, { right: `${i}` }));
    const target = trainedBy(cloud);
    const { comparison } = await run(isRight, rows, { target, against: base });
    expect(comparison!.scores[0]).toMatchObject({
      ...{ score: 'reward', kind: 'reward', value: 2, againstValue: -1, difference: 3, verdict: 'better' },
      changed: { better: 30, worse: 0, same: 0 },
    });
    expect(comparison!.scores[1]!.score).toBe('reward.letters');
  });

  it('may fail for some answers, which then do not count, but not for more than a fifth', async () => {
    const reward: RewardFunction = answer => {
      if (answer === '0') throw new Error('no parser');
      return 1;
    };
    const rows = (count: number) => Array.from({ length: count }, (_, i) => promptOf(`${i}`));
    const { scores } = await run(reward, rows(5));
    expect(scores[0]).toMatchObject({ name: 'reward', value: 1, rows: 4 });
    expect(cloud.evaluations[0]!.rows[0]).toMatchObject({ answer: '0', error: 'no parser', scores: {} });
    await expect(run(reward, rows(4))).rejects.toThrow('1 of 4 answers got no reward. The first: no parser');
  });

  it('is asked for a score that it gives', async () => {
    const rows = [promptOf('a', { right: 'a' })];
    expect((await run(isRight, rows, { score: 'reward.letters' })).scores[0]!.name).toBe('reward.letters');
    await expect(run(isRight, rows, { score: 'exact' })).rejects.toThrow(
      'There is no score "exact" for these rows. There are: reward, reward.letters.',
    );
  });
});

describe('a grader', () => {
  const grader = {
    type: 'string_check',
    name: 'right',
    input: '{{sample.output_text}}',
    reference: '{{item.right}}',
    operation: 'eq',
  } as const;

  it('rewards them in the cloud, a hundred at a time', async () => {
    const rows = Array.from({ length: 130 }, (_, i) => promptOf(`${i}`, { right: i < 65 ? `${i}` : 'x' }));
    const { scores } = await run(grader, rows);
    expect(scores[0]).toMatchObject({ name: 'reward', value: 0.5, rows: 130 });
    expect(graded.map(({ answers }) => answers.length)).toEqual([100, 30]);
    expect(graded[0]!.grader).toEqual(grader);
    expect(graded[0]!.answers[0]).toEqual({ item: rows[0], text: '0' });
  });
});

describe('rows without an answer', () => {
  it('are refused by name where no reward scores them', async () => {
    await expect(run(null, [promptOf('a')])).rejects.toThrow(
      'prompts has rows without answers. Only the reward of a trainer with the method grpo scores answers to them',
    );
    expect(asked).toEqual([]);
  });

  it('do not stand among others', async () => {
    const answered = { messages: [...promptOf('b').messages, { role: 'assistant', content: 'c' }] };
    await expect(run(isRight, [promptOf('a'), answered])).rejects.toThrow(
      'prompts, row 2 has an answer, and the rows before it have none.',
    );
    await expect(run(isRight, [answered, promptOf('a')])).rejects.toThrow(
      'prompts, row 2 has no answer, and the rows before it have one.',
    );
  });

  it('leave rows with answers as they were: these are compared with what was expected', async () => {
    const answered = { messages: [...promptOf('b').messages, { role: 'assistant', content: 'b' }] };
    expect((await run(isRight, [answered])).task.kind).toBe('text');
  });
});
