// Tests of what a model answers, against a cloud that answers as the test says.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { InferenceRequest } from '../../lib/contract/index.js';
import { defineTask } from '../../lib/task/index.js';
import { forgetReplies } from '../../lib/vitest/ask.js';
import { describeModel } from '../../lib/vitest/index.js';
import { toCompletion } from '../sdk/support.js';
import { type FakeCloud, startFakeCloud } from '../support/fake-cloud.js';
import { sampleDeployment, sampleJob } from '../support/samples.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder('svc-vitest');
const JOB = 'aaaa1111-0000-4000-8000-000000000001';
let cloud: FakeCloud;
let asked: InferenceRequest[];
let reply: (request: InferenceRequest) => string | object;

const questionOf = ({ messages }: InferenceRequest) => messages.at(-1)!.content as string;
const isAdapter = ({ adapter }: InferenceRequest) => adapter !== undefined;

/** A model that calls tools. */
const calling = (...calls: [name: string, args: string][]) => ({
  role: 'assistant',
  content: null,
  tool_calls: calls.map(([name, args], index) => ({
    ...{ id: `call_${index}`, type: 'function', function: { name, arguments: args } },
  })),
});

beforeAll(async () => {
  cloud = await startFakeCloud({
    chat: ({ body }) => {
      asked.push(body);
      const made = reply(body);
      if (typeof made === 'string') return toCompletion(made);
      const completion = toCompletion('');
      return { ...completion, choices: [{ ...completion.choices[0], message: made }] };
    },
  });
  const job = sampleJob({ id: JOB, status: 'completed', name: 'triage' });
  cloud.jobs.push({ job, events: [], archives: { final: new Uint8Array() } } as never);
  const target = { kind: 'base_model', baseModel: 'svc/tiny' } as const;
  cloud.deployments.push(sampleDeployment({ slug: 'served', target }));
  vi.stubEnv('SVC_HOME', join(folder, 'home'));
  vi.stubEnv('SVC_CLOUD_URL', cloud.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cloud.close();
});
beforeEach(() => {
  forgetReplies();
  asked = [];
  reply = () => 'yes';
});

/** What a matcher that fails says. */
async function failure(matched: Promise<void>): Promise<string> {
  return matched.then(
    () => {
      throw new Error('It passed.');
    },
    error => (error as Error).message,
  );
}

const messages = (...texts: string[]) => texts.join('\n');

describeModel('an answer of', { base: true, cwd: folder }, ({ ask }) => {
  it('is compared as text, whatever its white space, or by an expression', async () => {
    reply = () => 'It is  fine.\n';
    await expect(ask('a')).toAnswer('It is fine.');
    await expect(ask('a')).toAnswer(/fine/);
    const everywhere = /fine/g;
    for (const _ of [1, 2]) await expect(ask('a')).toAnswer(everywhere);
    await expect(ask('a')).not.toAnswer('it is fine.');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ temperature: 0, maxTokens: 512, messages: [{ content: 'a' }] });
  });

  it('that is wrong is shown with what was asked and expected', async () => {
    reply = () => 'no';
    expect(await failure(expect(ask('Is it?', { system: 'Be brief.' })).toAnswer('yes'))).toBe(
      messages(
        'The answer is not what was expected.',
        '',
        '  system    Be brief.',
        '  asked     Is it?',
        '  expected  yes',
        '  answered  no',
        '  by        Base model: svc/tiny',
      ),
    );
    expect(await failure(expect(ask('Is it?')).not.toAnswer('no'))).toContain('Another answer was expected.');
  });

  it('is an object, of which order and white space do not count', async () => {
    reply = () => '{ "b": [1], "a": "x" }';
    await expect(ask('a')).toAnswer({ a: 'x', b: [1] });
    await expect(ask('a')).not.toAnswer({ a: 'x', b: [2] });
    await expect(ask('a')).not.toAnswer(1);
    await expect(ask('a')).toAnswerLike({ a: 'x', b: [2] }, { atLeast: 0.5 });
    await expect(ask('a')).not.toAnswerLike({ a: 'x', b: [2] });
  });

  it('is a number or a truth value, as it was answered', async () => {
    reply = ({ messages: [first] }) => (first!.content === 'Is it?' ? 'true' : ' 42\n');
    await expect(ask('How many?')).toAnswer(42);
    await expect(ask('How many?')).not.toAnswer(4);
    await expect(ask('Is it?')).toAnswer(true);
    await expect(ask('Is it?')).not.toAnswer(null);
  });

  it('is like another if most words are the same', async () => {
    reply = () => 'the parcel is on its way to you';
    await expect(ask('a')).toAnswerLike('The parcel is on its way.');
    await expect(ask('a')).not.toAnswerLike('The parcel was lost.');
    expect(await failure(expect(ask('a')).toAnswerLike('Lost.'))).toContain(
      'The answer is 0.00 like what was expected; it should be at least 0.8.',
    );
  });

  it('is like a text or a value, and nothing else', async () => {
    reply = () => 'The parcel was lost.';
    for (const expected of [undefined, /refund/, () => 'lost'])
      await expect(expect(ask('a')).toAnswerLike(expected as never)).rejects.toThrow(
        'toAnswerLike needs a text or a value to compare with, not',
      );
  });

  it('calls tools, with arguments that are looked for', async () => {
    reply = () => calling(['refund', '{"order":"A1","reason":"late"}'], ['close', '{}']);
    const tools = [
      { type: 'function', function: { name: 'refund', parameters: { type: 'object' } } },
    ] as const;
    const answer = ask('Refund A1', { tools: [...tools] as never });
    await expect(answer).toCallTool('refund');
    await expect(answer).toCallTool('refund', { order: 'A1' });
    await expect(answer).toCallTool('close', {});
    await expect(answer).not.toCallTool('refund', { order: 'B2' });
    expect(asked[0]!.tools).toEqual(tools);
    const said = await failure(expect(answer).toCallTool('refund', { order: 'B2' }));
    expect(said).toContain('The answer calls the tool refund with other arguments.');
    expect(said).toContain('refund({"order":"A1","reason":"late"})');
    expect(await failure(expect(answer).toCallTool('ship'))).toContain('does not call the tool ship.');
  });

  it('has a snapshot, with its question, unless it is drawn by chance', async () => {
    await expect(ask('What are you?')).toMatchAnswerSnapshot();
    expect(await failure(expect(ask('a', { temperature: 1 })).toMatchAnswerSnapshot())).toContain(
      'asked at temperature 1',
    );
  });

  it('is asked anew where it may be another', async () => {
    let count = 0;
    reply = () => `${++count}`;
    expect((await ask('a')).text).toBe((await ask('a')).text);
    expect((await ask('a', { temperature: 1 })).text).not.toBe((await ask('a', { temperature: 1 })).text);
  });

  it('is not anything else', async () => {
    await expect(expect('yes').toAnswer('yes' as never)).rejects.toThrow('needs an answer of `ask`');
    await expect(expect(ask).toAnswer('yes' as never)).rejects.toThrow('needs an answer of `ask`');
    const answer = ask('a');
    await expect(expect(answer).toScoreAtLeast(1, { on: [] })).rejects.toThrow('needs the `ask`');
    await answer; // The next test would count its request otherwise.
  });
});

const ticket = defineTask({
  name: 'ticket',
  input: z.object({ text: z.string() }),
  output: z.object({ desk: z.enum(['coin', 'door']), heat: z.number() }),
  prompt: ({ text }) => `File this: ${text}`,
});

describeModel('a typed model', { job: JOB, task: ticket, cwd: folder }, ({ ask }) => {
  it('is asked with inputs, and answers with outputs', async () => {
    reply = () => '{"desk":"door","heat":2}';
    const answer = await ask({ text: 'The login fails.' });
    expect(questionOf(asked[0]!)).toBe('File this: The login fails.');
    expect(asked[0]).toMatchObject({
      adapter: { kind: 'final', jobId: JOB },
      schema: ticket.description.output,
    });
    expect(answer.output.desk).toBe('door');
    await expect(ask({ text: 'The login fails.' })).toAnswer({ desk: 'door', heat: 2 });
  });

  it('that answers something else is no match, and says why', async () => {
    reply = () => '{"desk":"exit","heat":2}';
    const answer = await ask({ text: 'a' });
    expect(() => answer.output).toThrow('The answer does not fit the task ticket');
    const said = await failure(expect(answer).toAnswer({ desk: 'door', heat: 2 }));
    expect(said).toMatch(/problem +The answer does not fit the task ticket/);
  });

  it('refuses inputs that do not fit', async () => {
    await expect(ask({ text: 1 as unknown as string })).rejects.toThrow('`input.text`');
    expect(asked).toEqual([]);
  });
});

describeModel('served', { job: 'latest:triage', cwd: folder }, ({ ask }) => {
  const rows = Array.from({ length: 20 }, (_, index) => ({
    input: `question ${index}`,
    output: index % 2 ? 'no' : 'yes',
  }));
  const right = (request: InferenceRequest) =>
    rows.find(({ input }) => input === questionOf(request))!.output;
  const other = (output: string) => (output === 'yes' ? 'no' : 'yes');
  /** Wrong on the first rows. */
  const wrongOn = (count: number) => (request: InferenceRequest) => {
    const index = rows.findIndex(({ input }) => input === questionOf(request));
    return index < count ? other(rows[index]!.output) : right(request);
  };

  it('scores rows of the program and of files', async () => {
    reply = wrongOn(5);
    await expect(ask).toScoreAtLeast(0.75, { on: rows });
    await expect(ask).not.toScoreAtLeast(0.76, { on: rows });
    await expect(ask).toScoreAtLeast(0.5, { on: rows, limit: 10 });
    expect(asked).toHaveLength(20);
    writeFileSync(join(folder, 'rows.jsonl'), rows.map(row => `${JSON.stringify(row)}\n`).join(''));
    await expect(ask).toScoreAtLeast(0.75, { on: 'rows.jsonl' });
    expect(asked).toHaveLength(20);
    const said = await failure(expect(ask).toScoreAtLeast(0.9, { on: 'rows.jsonl' }));
    expect(said).toContain(
      `Final adapter (job ${JOB.slice(0, 8)}) scored 75.0 % (Accuracy) on rows.jsonl; it should score at least 90.0 %.`,
    );
    expect(said).toContain('95 % interval');
    expect(said).toContain('row 1');
  });

  it('is compared with what is served: a loss is one that the rows show', async () => {
    reply = request => (isAdapter(request) ? wrongOn(1)(request) : right(request));
    await expect(ask).not.toRegress({ against: 'served', on: rows });
    reply = request => (isAdapter(request) ? wrongOn(10)(request) : right(request));
    forgetReplies();
    await expect(ask).toRegress({ against: 'served', on: rows });
    const said = await failure(expect(ask).not.toRegress({ against: { endpoint: 'served' }, on: rows }));
    expect(said).toContain('lost 50.0 points (Accuracy) against');
    expect(said).toContain('0 better, 10 worse, 10 the same');
    expect(said).toContain('in 85 % of comparisons');
    await expect(ask).not.toRegress({ against: 'served', on: rows, by: 0.6 });
    await expect(ask).toRegress({ against: 'base', on: rows, by: 0.4 });
  });

  it('is judged by no other score than the one that was chosen', async () => {
    const unknown = 'There is no score "exatc" for these rows. There are: accuracy, valid.';
    const scored = expect(ask).toScoreAtLeast(0.1, { on: rows, score: 'exatc' });
    await expect(scored).rejects.toThrow(unknown);
    const compared = expect(ask).not.toRegress({ against: 'base', on: rows, score: 'exatc' });
    await expect(compared).rejects.toThrow(unknown);
    expect(asked).toEqual([]);
    const lost = Array.from({ length: 4 }, (_, index) => ({
      input: `order ${index}`,
      output: `{"amount": ${index}}`,
    }));
    reply = () => 'none';
    const on = { on: lost, score: 'distance.amount' };
    await expect(expect(ask).toScoreAtLeast(0, on)).rejects.toThrow('No row has the score distance.amount');
    await expect(expect(ask).not.toRegress({ against: 'base', ...on })).rejects.toThrow(
      'No row has a score of both, so the models cannot be compared.',
    );
  });

  it('is compared with nothing that is not there', async () => {
    const against = { endpoint: 'mistyped' };
    await expect(expect(ask).not.toRegress({ against, on: rows })).rejects.toThrow('"mistyped"');
  });
});

describeModel('rewarded', { base: true, cwd: folder }, ({ ask }) => {
  const prompts = ['1', '2', '3', '4'].map(content => ({
    messages: [{ role: 'user', content }],
    sum: `${content}!`,
  }));
  const isRight = (answer: string, { row }: { row: { sum?: string } }) => ({
    reward: answer === row.sum ? 1 : 0.25,
    parts: { brief: Number(answer.length < 3) },
  });
  const grader = { type: 'string_check', name: 'a', input: 'a', reference: 'a', operation: 'eq' } as const;

  it('is scored by a reward on prompts without answers', async () => {
    reply = request => (questionOf(request) === '4' ? 'none' : `${questionOf(request)}!`);
    await expect(ask).toScoreAtLeast(0.8, { on: prompts, reward: isRight });
    await expect(ask).not.toScoreAtLeast(0.82, { on: prompts, reward: isRight });
    await expect(ask).toScoreAtLeast(1, { on: prompts, reward: isRight, limit: 3 });
    await expect(ask).not.toScoreAtLeast(0.76, { on: prompts, reward: isRight, score: 'reward.brief' });
    const mistyped = expect(ask).toScoreAtLeast(0, { on: prompts, reward: isRight, score: 'reward.breif' });
    await expect(mistyped).rejects.toThrow('There is no score "reward.breif"');
    expect(asked).toHaveLength(4);
    const said = await failure(expect(ask).toScoreAtLeast(0.9, { on: prompts, reward: isRight }));
    expect(said).toContain('scored 0.8125 (Reward)');
    expect(said).toMatch(/row 4 +4\n +reward +0\.25\n +answered +none/);
  });

  it('is scored by a grader, and asked anew with a schema', async () => {
    const schema = { type: 'object' };
    await expect(ask).toScoreAtLeast(1, { on: prompts, reward: grader });
    await expect(ask).toScoreAtLeast(1, { on: prompts, reward: grader, schema });
    expect(asked.map(request => request.schema)).toEqual([
      ...Array(4).fill(undefined),
      ...Array(4).fill(schema),
    ]);
  });

  it('is compared by rewards', async () => {
    await expect(ask).not.toRegress({ on: prompts, reward: isRight, against: 'base' });
  });

  it('is not scored by a reward where answers are known, nor on prompts without one', async () => {
    const on = [{ input: 'a', output: 'yes' }];
    await expect(expect(ask).toScoreAtLeast(1, { on, reward: isRight })).rejects.toThrow(
      'has rows with answers',
    );
    await expect(expect(ask).toScoreAtLeast(1, { on: prompts })).rejects.toThrow();
  });
});

describeModel('mistyped', { job: 'latest', cwd: folder }, ({ ask }) => {
  it('is not served', async () => {
    const on = [{ input: 'a', output: 'yes' }];
    await expect(expect(ask).not.toRegress({ against: 'served', on })).rejects.toThrow(
      'Nothing is served as `mistyped` in this project.',
    );
  });
});

describe('a block', () => {
  it('describes one model', () => {
    expect(() => describeModel('x', { base: true, job: 'latest' }, () => {})).toThrow(
      'A model is one of `job`, `endpoint` and `base`, not several.',
    );
  });
});
