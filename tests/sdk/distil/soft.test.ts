// Rows with what a teacher expected at each token of its answers: how it is asked, and what becomes of it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createTrainer, defineTask } from '../../../lib/index.js';
import { distil } from '../../../lib/sdk/distil/options.js';
import { toJobInput } from '../../../lib/sdk/trainer/job-input.js';
import { openTaskRows } from '../../../lib/task/index.js';
import { type FakeTeacher, openFakeTeacher } from '../../support/fake-teacher.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { distilIn, type Given } from './support.js';

let fake: FakeTeacher;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder('svc-distil');
  fake = await openFakeTeacher();
  fake.answer = ({ question }) => ({ content: `${question}!`, logprobs: scored([question, '!']) });
});
afterEach(() => fake.close());

const run = (given?: Given, context?: Parameters<typeof distilIn>[3]) =>
  distilIn(folder, fake, { soft: true, prompts: ['one'], ...given }, context);

type Entry = { token: string; logprob: number; bytes?: number[] | null };

const entry = (token: string, logprob: number, bytes?: number[] | null): Entry => ({
  token,
  logprob,
  ...(bytes !== undefined && { bytes }),
});

/** Tokens, each with itself and another one among the likeliest. */
const scored = (tokens: readonly string[]) => ({
  content: tokens.map(token => ({
    ...entry(token, -0.123456789),
    top_logprobs: [entry(token, -0.123456789), entry('other', -3)],
  })),
});

describe('the distribution of a teacher', () => {
  it('is asked for, is in the rows, and is asked for once', async () => {
    const first = await run();
    expect(fake.requests[0]!.body).toMatchObject({ logprobs: true, top_logprobs: 20 });
    expect(first.rows).toEqual([
      {
        messages: [
          { role: 'user', content: 'one' },
          { role: 'assistant', content: 'one!' },
        ],
        logprobs: [
          [
            ['one', -0.12346],
            ['other', -3],
          ],
          [
            ['!', -0.12346],
            ['other', -3],
          ],
        ],
      },
    ]);
    expect((await run({ soft: { weight: 2 } })).text).toBe(first.text);
    expect(fake.requests).toHaveLength(1);
    const { rows } = await run({ soft: false });
    expect(rows[0]).not.toHaveProperty('logprobs');
    expect(fake.requests[1]!.body).not.toHaveProperty('logprobs');
    await run({ soft: { topLogprobs: 5 } });
    expect(fake.requests[2]!.body).toMatchObject({ top_logprobs: 5 });
  });

  it('names parts of characters by their bytes, and leaves what is nearly impossible to the rest', async () => {
    fake.answer = () => ({
      content: 'é',
      logprobs: {
        content: [
          {
            ...entry('\uFFFD', -0.5, [0xc3]),
            top_logprobs: [
              entry('e', -1, [101]),
              entry('\uFFFD', -0.5, [0xc3]),
              entry('x', -9.3),
              entry('y', -9999),
            ],
          },
          { ...entry('\uFFFD', 1e-7, [0xa9]), top_logprobs: [entry('\uFFFD', 1e-7, [0xa9])] },
        ],
      },
    });
    const { rows } = await run();
    expect(rows[0]).toHaveProperty('logprobs', [
      [
        [[0xc3], -0.5],
        ['e', -1],
      ],
      [[[0xa9], 0]],
    ]);
    // What was paid for is kept.
    const names = await readdir(join(folder, '.svc', 'distilled'));
    const log = await readFile(
      join(folder, '.svc', 'distilled', names.find(name => name.endsWith('.jsonl'))!),
      'utf8',
    );
    expect(JSON.parse(log).logprobs[0]).toContainEqual(['y', -9999]);
  });

  it.each([
    ['no logprobs', undefined],
    ['null', null],
    ['no tokens', { content: [] }],
    ['no alternatives', { content: [entry('one!', -1)] }],
    ['an empty list of them', { content: [{ ...entry('one!', -1), top_logprobs: [] }] }],
    ['no probability', { content: [{ token: 'one!', top_logprobs: [entry('a', -1)] }] }],
  ])('is refused at its first answer with %s', async (_, logprobs) => {
    fake.answer = () => ({ content: 'one!', ...(logprobs !== undefined && { logprobs }) });
    await expect(run({ prompts: ['one', 'two', 'three'], concurrency: 1 })).rejects.toThrow(
      'The teacher teacher answers without `logprobs`, so what it expects cannot be learned. Remove `soft` to learn its answers alone.',
    );
    expect(fake.requests).toHaveLength(1);
  });

  it('is missing where the teacher calls functions, and where it says nothing', async () => {
    const tools = [{ type: 'function', function: { name: 'find', parameters: {} } }];
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } }];
    fake.answer = ({ question }) =>
      question === 'nothing'
        ? { content: '' }
        : { content: null, tool_calls, finish_reason: 'tool_calls', logprobs: scored(['find']) };
    const { rows, last } = await run({ prompts: [{ prompt: 'Where?', tools }, 'nothing'] });
    expect(rows.map(row => Object.keys(row))).toEqual([['messages', 'tools']]);
    expect(last.leftOut).toEqual({ empty: 1 });
  });

  it('is part of the rows of a task', async () => {
    const task = defineTask({
      name: 'order',
      input: z.object({ text: z.string() }),
      output: z.object({ id: z.int() }),
      prompt: ({ text }) => `Order: ${text}`,
    });
    fake.answer = () => ({ content: '{"id":7}', logprobs: scored(['{"id":', '7', '}']) });
    const { rows } = await run({ prompts: [{ input: { text: 'one' } }] }, { task: openTaskRows(task) });
    expect(rows).toMatchObject([{ logprobs: [{}, {}, {}] }]);
  });
});

describe('the weight of the distribution', () => {
  const source = { datasetSource: { type: 'upload' as const, datasetId: 'x' } };
  const teacher = { baseURL: 'https://x/v1', model: 'm' };
  const weightOf = (soft: Given['soft'], options = {}) => {
    const dataset = distil({ teacher, prompts: ['a'], soft });
    return toJobInput({ name: 'student', dataset, ...options }, 'base', source).config.softWeight;
  };

  it('is that of the rows, unless the trainer has its own', () => {
    expect([undefined, false, true, {}, { weight: 2 }].map(soft => weightOf(soft))).toEqual([
      ...[undefined, undefined, 0.5, 0.5, 2],
    ]);
    expect(weightOf(true, { softWeight: 0 })).toBe(0);
  });

  it('is refused with methods that do not learn answers as they are', () => {
    const dataset = distil({ teacher, prompts: ['a'], soft: true });
    const create = (options: object) => () => createTrainer({ name: 'student', dataset, ...options });
    const own = { dataset: { type: 'rows', rows: [] }, softWeight: 0.5 };
    expect(create({ ...own, method: { type: 'dpo' } })).toThrow(
      '`softWeight` must be 0 with the method dpo or grpo',
    );
    expect(create({ softWeight: -1 })).toThrow('`softWeight` must be at least 0');
  });
});
