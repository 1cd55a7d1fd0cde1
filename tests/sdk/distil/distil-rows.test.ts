// Rows of a teacher's answers: their order, what is asked and what is not, and what is left out.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { realClock } from '../../../lib/clock/index.js';
import { defineTask } from '../../../lib/index.js';
import { openTaskRows } from '../../../lib/task/index.js';
import { type FakeTeacher, openFakeTeacher } from '../../support/fake-teacher.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { distilIn, type Given } from './support.js';

let fake: FakeTeacher;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder('svc-distil');
  fake = await openFakeTeacher();
});
afterEach(() => fake.close());

const run = (given?: Given, context?: Parameters<typeof distilIn>[3]) =>
  distilIn(folder, fake, given, context);

describe('rows', () => {
  it('need room in the temporary folder, and say so where there is none', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'gone'));
    await expect(run())
      .rejects.toThrow(
        `${join(folder, 'gone')} cannot be written: there is no such folder in ${folder} (ENOENT). Set TMPDIR to another folder.`,
      )
      .finally(() => vi.unstubAllEnvs());
  });

  it('are no longer waited for once the wait for another process is over', async () => {
    let release = (_: string) => {};
    const answer = new Promise<string>(resolve => {
      release = resolve;
    });
    fake.answer = () => answer;
    const other = run();
    await until(() => fake.requests.length).toBeGreaterThan(0);
    const stop = new AbortController();
    const sleep = vi.spyOn(realClock, 'sleep');
    const waiting = run({}, { signal: stop.signal });
    await until(() => sleep.mock.calls.length).toBeGreaterThan(2);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(sleep.mock.calls.every(([, signal]) => signal?.aborted)).toBe(true);
    sleep.mockRestore();
    release('late');
    expect((await other).answers).toEqual(['late', 'late', 'late']);
  });

  it('are in the order of the prompts, whichever answer comes first, and the same bytes when nothing is asked', async () => {
    const release: (() => void)[] = [];
    fake.answer = async ({ question }) => {
      await new Promise<void>(resolve => {
        release.push(resolve);
        if (release.length === 3) for (const go of release.toReversed()) go();
      });
      return question.toUpperCase();
    };
    const first = await run();
    expect(first.rows).toEqual(
      ['one', 'two', 'three'].map(content => ({
        messages: [
          { role: 'user', content },
          { role: 'assistant', content: content.toUpperCase() },
        ],
      })),
    );
    expect(first.last).toMatchObject({ stage: 'done', total: 3, answered: 3, known: 0 });
    const second = await run();
    expect(second.text).toBe(first.text);
    expect(second.last).toMatchObject({ known: 3, tokens: { input: 0, output: 0 } });
    expect(fake.requests).toHaveLength(3);
  });

  it('of the same prompt share an answer, and each sample has its own', async () => {
    let count = 0;
    fake.answer = () => String(++count);
    const { answers } = await run({ prompts: ['a', 'b', 'a'], samples: 2, concurrency: 1 });
    expect(answers).toEqual(['1', '2', '3', '4', '1', '2']);
    expect(fake.requests.every(({ body }) => !('temperature' in body))).toBe(true);
    const { answers: more } = await run({ prompts: ['a', 'b', 'a'], samples: 3, concurrency: 1 });
    expect(more).toEqual(['1', '2', '5', '3', '4', '6', '1', '2', '5']);
  });

  it('come from a file, without the answers that it has', async () => {
    const lines = [
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'old' },
        ],
      },
      { prompt: 'plain', completion: 'old' },
      { instruction: 'Add.', input: '1 2', output: 'old' },
      { prompt: [{ role: 'user', content: 'listed' }] },
    ];
    await writeFile(join(folder, 'prompts.jsonl'), lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    const { rows } = await run({ prompts: 'prompts.jsonl', system: 'Be long.', concurrency: 1 });
    expect(fake.requests.map(({ body }) => body.messages)).toEqual(
      ['hi', 'plain', 'Add.\n\n1 2', 'listed'].map(content => [
        { role: 'system', content: 'Be long.' },
        { role: 'user', content },
      ]),
    );
    expect(rows[0]!.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'answer to hi' },
    ]);
    expect(rows[1]!.messages).toHaveLength(2);
  });

  it('are asked with all that comes before their answers', async () => {
    const { rows } = await run({
      prompts: [
        { system: 's', instruction: 'a', input: 'b', history: [['c', 'd']], output: 5 },
        { system: 's', prompt: 'e' },
        { system: 's', messages: [{ role: 'user', content: 'f' }] },
        {
          system: 's',
          conversations: [
            { from: 'human', value: 'g' },
            { from: 'gpt', value: 'old' },
          ],
        },
      ],
      concurrency: 1,
    });
    const [system, ...earlier] = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'c' },
      { role: 'assistant', content: 'd' },
    ];
    const asked = [
      [system, ...earlier, { role: 'user', content: 'a\n\nb' }],
      ...['e', 'f', 'g'].map(content => [system, { role: 'user', content }]),
    ];
    expect(fake.requests.map(({ body }) => body.messages)).toEqual(asked);
    const [first, ...others] = rows.map(({ messages }) => messages.slice(0, -1));
    const [question, answer] = earlier;
    expect(first).toEqual([system, question, { ...answer, weight: 0 }, { role: 'user', content: 'a\n\nb' }]);
    expect(others).toEqual(asked.slice(1));
  });

  it('teach what the teacher says, and not the answers before it, whose weight it is not told', async () => {
    const [asked, again] = ['a', 'b'].map(content => ({ role: 'user', content }));
    const [old, older] = ['old', 'older'].map(content => ({ role: 'assistant', content }));
    const messages = [asked, { ...older, weight: 0 }, asked, { ...old, weight: 1 }, again];
    const { rows } = await run({ prompts: [{ messages: [...messages, { ...old, weight: 1 }] }] });
    expect(fake.requests[0]!.body.messages).toEqual([asked, older, asked, old, again]);
    const muted = [older, old].map(answer => ({ ...answer, weight: 0 }));
    const answer = { role: 'assistant', content: 'answer to b' };
    expect(rows[0]!.messages).toEqual([asked, muted[0], asked, muted[1], again, answer]);
  });

  it('have the functions that were offered and called', async () => {
    const tools = [{ type: 'function', function: { name: 'find', parameters: {} } }];
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } }];
    fake.answer = () => ({ content: null, tool_calls, finish_reason: 'tool_calls' });
    const { rows } = await run({ prompts: [{ prompt: 'Where?', tools }] });
    expect(fake.requests[0]!.body.tools).toEqual(tools);
    expect(rows).toEqual([
      {
        messages: [
          { role: 'user', content: 'Where?' },
          { role: 'assistant', content: null, tool_calls },
        ],
        tools,
      },
    ]);
  });

  it('of a task are the chats that it makes, and answers that do not fit it are left out', async () => {
    const task = defineTask({
      name: 'order',
      input: z.object({ text: z.string() }),
      output: z.object({ id: z.int() }),
      prompt: ({ text }) => `Order: ${text}`,
    });
    fake.answer = ({ question }) => (question.endsWith('two') ? 'no idea' : ' { "id": 7 }\n');
    const prompts = ['one', 'two'].map(text => ({ input: { text } }));
    const { rows, last } = await run({ prompts }, { task: openTaskRows(task) });
    expect(fake.questions().toSorted()).toEqual(['Order: one', 'Order: two']);
    expect(rows.map(({ messages }) => messages.at(-1))).toEqual([{ role: 'assistant', content: '{"id":7}' }]);
    expect(last.leftOut).toEqual({ misfit: 1 });
    await expect(run({ prompts: ['text'] }, { task: openTaskRows(task) })).rejects.toThrow(
      '1 row does not fit the task order:\nprompt 1: it is a text; prompts for a task are rows with its `input`',
    );
  });
});

describe('a request', () => {
  it('has a temperature of 0 and a limit, or what the options say', async () => {
    await run({ prompts: ['a'] });
    await run({ prompts: ['b'], temperature: 0.5, maxTokens: 7, request: { reasoning_effort: 'low' } });
    await run({ prompts: ['c'], temperature: null });
    const bodies = fake.requests.map(({ body: { messages, ...rest } }) => rest);
    expect(bodies).toEqual([
      { model: 'teacher', temperature: 0, max_completion_tokens: 1024 },
      { model: 'teacher', temperature: 0.5, max_completion_tokens: 7, reasoning_effort: 'low' },
      { model: 'teacher', max_completion_tokens: 1024 },
    ]);
  });

  it('is another one for another system message, and the same for fields in another order', async () => {
    await run({ prompts: [{ messages: [{ role: 'user', content: 'a' }] }] });
    await run({ prompts: [{ messages: [{ content: 'a', role: 'user' }] }] });
    expect(fake.requests).toHaveLength(1);
    await run({ prompts: ['a'], system: 'Be kind.' });
    expect(fake.requests).toHaveLength(2);
  });
});

describe('answers are left out', () => {
  it('by `keep`, which gets each with its prompt, and are not asked for again', async () => {
    const given: unknown[] = [];
    const prompts = [{ prompt: 'one', level: 3 }, 'two'];
    const keep: Given['keep'] = async (answer, context) => {
      given.push([answer, context.row, context.sample, context.messages.length]);
      return answer.endsWith('two');
    };
    const { answers, last } = await run({ prompts, keep, concurrency: 1 });
    expect(answers).toEqual(['answer to two']);
    expect(last.leftOut).toEqual({ keep: 1 });
    expect(given).toEqual([
      ['answer to one', prompts[0], 0, 1],
      ['answer to two', 'two', 0, 1],
    ]);
    expect((await run({ prompts })).answers).toHaveLength(2);
    expect(fake.requests).toHaveLength(2);
  });

  it('if they are empty or cut off; those that were cut off are asked for again once they may be longer', async () => {
    fake.answer = ({ question, body }) => {
      if (question === 'one') return ' \n';
      const isLong = (body.max_completion_tokens as number) > 10;
      return question === 'two' && !isLong ? { content: 'to be', finish_reason: 'length' } : 'whole';
    };
    const short = await run({ maxTokens: 10 });
    expect(short.answers).toEqual(['whole']);
    expect(short.last.leftOut).toEqual({ empty: 1, cut: 1 });
    const long = await run({ maxTokens: 20 });
    expect(long.answers).toEqual(['whole', 'whole']);
    expect(fake.questions().slice(3)).toEqual(['two']);
    expect((await run({ maxTokens: 10 })).answers).toEqual(['whole', 'whole']);
    expect(fake.requests).toHaveLength(4);
  });

  it('if a filter broke them off, or a limit that has another name', async () => {
    const reasons = ['content_filter', 'max_tokens', 'end_turn'];
    fake.answer = ({ question }) => ({ content: question, finish_reason: reasons.shift()! });
    const { answers, last } = await run({ concurrency: 1 });
    expect(answers).toEqual(['three']);
    expect(last.leftOut).toEqual({ refused: 1, cut: 1 });
    fake.answer = ({ question }) => question;
    expect((await run({ maxTokens: 2000 })).answers).toEqual(['two', 'three']);
  });

  it.each([
    [() => false, {}, 'All 3 answers were left out, so there is nothing to train on: 3 by `keep`.'],
    [
      undefined,
      { prompts: ['one'] },
      'The only answer was left out, so there is nothing to train on: 1 empty.',
    ],
  ] as const)('all of them is an error (%#)', async (keep, more, message) => {
    fake.answer = () => (keep ? 'text' : '');
    await expect(run({ ...more, ...(keep && { keep }) } as Given)).rejects.toThrow(message);
  });

  it('unless `keep` fails or says neither yes nor no', async () => {
    const fail = () => {
      throw new RangeError('too far');
    };
    await expect(run({ keep: fail, concurrency: 1 })).rejects.toThrow(
      '`keep` threw RangeError: too far for the answer to prompt 1. Return true for a row to train on, or false to leave it out.',
    );
    const wrong = (() => 0.5) as unknown as NonNullable<Given['keep']>;
    await expect(run({ keep: wrong })).rejects.toThrow('`keep` returned 0.5 for the answer to prompt 1.');
    expect((await run()).answers).toHaveLength(3);
    expect(fake.requests).toHaveLength(3);
  });
});

describe('prompts', () => {
  it.each([
    ['missing.jsonl', undefined, /missing\.jsonl does not exist\.$/],
    ['empty.jsonl', '', /empty\.jsonl/],
    [
      'odd.jsonl',
      '{"a":1}\n',
      'odd.jsonl, row 1 needs prompt, messages, conversations, instruction or input, and has a.',
    ],
    [
      'alone.jsonl',
      '{"messages":[{"role":"system","content":"x"}]}\n',
      'alone.jsonl, row 1 has no question to answer.',
    ],
  ])('of %s say what is wrong', async (name, content, message) => {
    if (content !== undefined) await writeFile(join(folder, name), content);
    await expect(run({ prompts: name })).rejects.toThrow(message);
    expect(fake.requests).toHaveLength(0);
  });

  it('that are none are an error', async () => {
    await expect(run({ prompts: [] })).rejects.toThrow('`prompts` has no prompts.');
  });
});
