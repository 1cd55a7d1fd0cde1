// Evaluating a model: rows are read, asked several at a time, scored and kept, and what was interrupted goes on.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError, type InferenceRequest, type TaskDescription } from '../../../lib/contract/index.js';
import { type EvaluateOptions, evaluate } from '../../../lib/sdk/index.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { createHastyClock } from '../../support/hasty-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openFakeCloud, sessionIn, toCompletion } from '../support.js';
import { base, trainedBy } from './targets.js';

let cloud: FakeCloud;
let asked: InferenceRequest[];
let reply: (request: InferenceRequest) => Parameters<typeof toCompletion>[0];
let folder: string;
beforeEach(async () => {
  asked = [];
  reply = () => 'yes';
  cloud = await openFakeCloud({
    chat: ({ body }) => {
      asked.push(body);
      return toCompletion(reply(body));
    },
  });
  folder = temporaryFolder('svc-evaluate');
});

const session = () => sessionIn(folder, cloud, createHastyClock());

async function run(rows: readonly object[] | string, options: Partial<EvaluateOptions> = {}) {
  const text = typeof rows === 'string' ? rows : rows.map(row => JSON.stringify(row)).join('\n');
  await writeFile(join(folder, 'rows.jsonl'), `${text}\n`);
  return evaluate(session(), { target: base, data: { type: 'file', path: 'rows.jsonl' }, ...options });
}

const yesNo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    input: `question ${index + 1}`,
    output: index % 2 ? 'no' : 'yes',
  }));
const questionOf = ({ messages }: InferenceRequest) => messages.at(-1)!.content as string;
const stored = () => cloud.evaluations[0]!;

describe('the rows', () => {
  it('are inputs and outputs, chats, prompts and completions, or instructions', async () => {
    await run([
      { input: 'a', output: 'yes' },
      { input: { b: 1 }, output: { c: 2 } },
      {
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: 'd' },
          { role: 'assistant', content: 'yes' },
        ],
      },
      { prompt: 'e', completion: 'yes' },
      { prompt: [{ role: 'user', content: 'f' }], completion: [{ role: 'assistant', content: 'yes' }] },
      { instruction: 'g', input: 'h', output: 'yes' },
      { system: 's', instruction: 'i', history: [['j', 'k']], output: { c: 3 } },
      { system: 's', prompt: 'l', completion: 'yes' },
      {
        system: 's',
        conversations: [
          { from: 'human', value: 'm' },
          { from: 'gpt', value: 'sure' },
        ],
      },
    ]);
    const messages = asked.map(request => request.messages.map(({ role, content }) => `${role}: ${content}`));
    expect(messages.sort()).toEqual([
      ['system: s', 'user: d'],
      ['system: s', 'user: j', 'assistant: k', 'user: i'],
      ['system: s', 'user: l'],
      ['system: s', 'user: m'],
      ['user: a'],
      ['user: e'],
      ['user: f'],
      ['user: g\n\nh'],
      ['user: {"b":1}'],
    ]);
    const expected = stored().rows.map(row => row.expected);
    expect(expected).toEqual(expect.arrayContaining(['{"c":2}', '{"c":3}', 'sure']));
    expect(asked.every(({ temperature, maxTokens }) => temperature === 0 && maxTokens === 512)).toBe(true);
  });

  it.each([
    ['no answer', { messages: [{ role: 'user', content: 'a' }] }, 'row 1 has no question and answer'],
    [
      'another end',
      {
        messages: [
          { role: 'assistant', content: 'a' },
          { role: 'user', content: 'b' },
        ],
      },
      'does not end',
    ],
    [
      'nothing',
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: null },
        ],
      },
      'ends without a text',
    ],
    [
      'a call of what it does not offer',
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: null, tool_calls: [{ function: { name: 'stop' } }] },
        ],
      },
      'ends with a call of a function, and has no tools to call',
    ],
    ['what training refuses', { system: 5, instruction: 'a', output: 'b' }, 'row 1: system is not a string.'],
    ['other columns', { question: 'a', answer: 'b' }, 'question, answer'],
  ])('with %s are refused by number, before anything is asked', async (_, row, message) => {
    await expect(run([row])).rejects.toMatchObject({
      code: 'dataset_invalid',
      message: expect.stringContaining(message),
    });
    expect(asked).toEqual([]);
  });

  it('that are missing or none are refused', async () => {
    await expect(run('')).rejects.toMatchObject({ code: 'dataset_invalid' });
    const data = { type: 'file', path: 'other.jsonl' } as const;
    await expect(run('', { data })).rejects.toMatchObject({
      message: expect.stringContaining('does not exist'),
    });
  });

  it('are only the first ones if limited', async () => {
    const { data } = await run(yesNo(20), { limit: 6 });
    expect(data.rows).toBe(6);
    expect(asked).toHaveLength(6);
  });
});

describe('rows that offer functions', () => {
  const tools = [
    {
      type: 'function',
      function: {
        name: 'light',
        parameters: {
          type: 'object',
          properties: { room: { type: 'string' }, on: { type: 'boolean' } },
          required: ['room'],
        },
      },
    },
  ];
  const call = (args: object | string, id?: string) => ({
    ...(id && { id }),
    type: 'function',
    function: { name: 'light', arguments: args },
  });
  const row = (content: string, answer: object, ...before: object[]) => ({
    tools,
    messages: [...before, { role: 'user', content }, { role: 'assistant', ...answer }],
  });
  const light = (...calls: object[]) => ({ content: null, tool_calls: calls });
  const rows = [
    row('kitchen', light(call({ room: 'kitchen', on: true }))),
    row('hall', light(call('{"on": true, "room": "hall"}'))),
    row('thanks', { content: 'You are welcome.' }),
  ];

  it('are scored by the functions that are called, and kept as they are read', async () => {
    reply = request => {
      const text = questionOf(request);
      if (text === 'thanks') return 'You are welcome!';
      return light(call(`{"room":"kitchen","on":true}`, 'call_1'));
    };
    const evaluation = await run(rows);
    expect(evaluation.task).toEqual({ name: null, kind: 'calls' });
    expect(evaluation.scores.map(({ name, value, rows: count }) => [name, value, count])).toEqual([
      ['calls', 2 / 3, 3],
      ['functions', 1, 3],
      ['arguments', 0.75, 2],
      ['valid', 1, 2],
      ['f1', 1, 1],
    ]);
    const { row: number, expected, answer, scores } = stored().rows[0]!;
    expect([number, expected, answer]).toEqual([
      2,
      'light({"on":true,"room":"hall"})',
      'light({"room":"kitchen","on":true})',
    ]);
    expect(scores).toEqual({ calls: 0, functions: 1, arguments: 0.5, valid: 1 });
    expect(asked.map(request => request.tools)).toEqual([tools, tools, tools]);
  });

  it('are asked as requests have calls, whatever a data set has', async () => {
    const result = { role: 'tool', content: 'done' };
    const before = [
      { role: 'user', content: 'both' },
      { role: 'assistant', ...light(call({ room: 'a' }), call({ room: 'b' })) },
      result,
      result,
    ];
    await run([row('thanks', { content: 'yes' }, ...before)]);
    expect(asked[0]!.messages.slice(1, 4)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_0', type: 'function', function: { name: 'light', arguments: '{"room":"a"}' } },
          { id: 'call_1', type: 'function', function: { name: 'light', arguments: '{"room":"b"}' } },
        ],
      },
      { ...result, tool_call_id: 'call_0' },
      { ...result, tool_call_id: 'call_1' },
    ]);
  });

  it('are asked without the empty fields of a table', async () => {
    const empty = { name: null, tool_calls: null, reasoning_content: null };
    const before = [
      { role: 'user', content: 'lamp', ...empty },
      { role: 'assistant', content: 'Which one?', ...empty },
    ];
    await run([row('hall', { content: 'yes' }, ...before)]);
    expect(asked[0]!.messages.slice(0, 2)).toEqual([
      { role: 'user', content: 'lamp' },
      { role: 'assistant', content: 'Which one?' },
    ]);
  });

  it('are asked without what says which answers are learned, as the same rows', async () => {
    const [question, answer] = [
      { role: 'user', content: 'lamp' },
      { role: 'assistant', content: 'Which one?' },
    ];
    const weighed = await run([
      row('hall', { content: 'yes', weight: 1 }, question!, { ...answer, weight: 0 }),
    ]);
    expect(asked[0]!.messages.slice(0, 2)).toEqual([question, answer]);
    const plain = await run([row('hall', { content: 'yes' }, question!, answer!)]);
    expect(weighed.data.digest).toBe(plain.data.digest);
  });

  it('are asked with functions as requests have them, whatever a data set has', async () => {
    const { name, parameters } = tools[0]!.function;
    const forms = [
      { parameters },
      { input_schema: parameters },
      { inputSchema: parameters, description: null },
    ];
    const bare = forms.map(form => ({ ...rows[0]!, tools: [{ name, ...form }] }));
    const { scores } = await run(bare);
    expect(scores.length).toBeGreaterThan(0);
    expect(asked.map(request => request.tools)).toEqual([tools, tools, tools]);
  });

  it('are asked once more with other functions only', async () => {
    const failing = { ...rows[0]!, tools: [...tools, { ...tools[0]!, function: { name: 'stop' } }] };
    const first = await run([rows[0]!]);
    const second = await run([failing]);
    expect(first.data.digest).not.toBe(second.data.digest);
  });
});

describe('a task', () => {
  const task: TaskDescription = {
    name: 'extract',
    kind: 'fields',
    input: { type: 'object' },
    output: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    fields: [{ name: 'amount', type: 'number' }],
    prompt: [{ role: 'user', content: ['Read: ', { path: ['text'], as: 'text' }] }],
  };

  it('writes the prompt, constrains the answer and decides the scores', async () => {
    reply = () => '{"amount": 4}';
    const rows = [{ input: { text: 'four' }, output: { amount: 4 } }];
    const made = await run(rows, { target: { ...base, task } });
    expect(questionOf(asked[0]!)).toBe('Read: four');
    expect(asked[0]!.schema).toEqual(task.output);
    expect(made).toMatchObject({ task: { name: 'extract', kind: 'fields' } });
    expect(made.scores.map(({ name }) => name)).toEqual([
      'f1',
      'exact',
      'valid',
      'field.amount',
      'distance.amount',
    ]);
  });

  it('is not asked for what only its program can write', async () => {
    const { prompt: _, ...unwritten } = task;
    const rows = [{ input: { text: 'four' }, output: { amount: 4 } }];
    await expect(run(rows, { target: { ...base, task: unwritten } })).rejects.toMatchObject({
      code: 'dataset_invalid',
      message:
        'rows.jsonl, row 1 has an input that only the program with the task extract can make messages of; give rows with messages, as "svc data rows" writes them there.',
    });
    expect(asked).toEqual([]);
  });

  it('has no score of another name, which is said before anything is asked', async () => {
    const failing = run(yesNo(4), { score: 'tone' });
    await expect(failing).rejects.toMatchObject({
      code: 'invalid_value',
      message: expect.stringContaining('f1, exact'),
    });
    expect(asked).toEqual([]);
  });
});

describe('asking', () => {
  it('compares both candidates on the same rows', async () => {
    reply = ({ adapter, messages }) =>
      adapter ? (Number(/\d+/.exec(messages[0]!.content as string)![0]) % 2 ? 'yes' : 'no') : 'yes';
    const counts: number[] = [];
    const target = trainedBy(cloud);
    const made = await run(yesNo(20), { target, against: base, onProgress: ({ done }) => counts.push(done) });
    expect(made.comparison?.scores[0]).toMatchObject({ verdict: 'better', value: 1, againstValue: 0.5 });
    expect(asked).toHaveLength(40);
    expect(counts.at(-1)).toBe(40);
  });

  it.each([
    ['as the adapter was trained', false, null, false],
    ['as it is, beside an adapter that says nothing', undefined, null, undefined],
    ['at an endpoint as that answers its callers', false, 'bot', undefined],
  ])('asks the base model %s', async (_, enableThinking, endpoint, expected) => {
    const target = { ...base, subject: { ...base.subject, endpoint } };
    await run(yesNo(1), { target, against: trainedBy(cloud, { enableThinking }) });
    expect(asked.map(({ enableThinking }) => enableThinking)).toEqual([expected, undefined]);
  });

  it('waits while the engine is busy', async () => {
    let busy = 5;
    reply = () => {
      if (busy-- > 0) throw new ApiError('engine_busy', 'Too many requests are waiting.');
      return 'yes';
    };
    const made = await run(yesNo(6));
    expect(made.scores[0]).toMatchObject({ value: 0.5 });
    expect(asked).toHaveLength(11);
  });

  it('counts a row that is too long as one without an answer', async () => {
    reply = request => {
      if (questionOf(request) === 'question 2') throw new ApiError('context_length_exceeded', 'Too long.');
      return 'yes';
    };
    const made = await run(yesNo(6));
    expect(made.failed).toBe(1);
    expect(stored().rows[0]).toMatchObject({ row: 2, answer: null, error: 'Too long.' });
  });

  it('cannot start where its answers cannot be kept, and says what is in the way', async () => {
    const place = join(folder, '.svc', 'evaluations');
    await mkdir(join(folder, '.svc'));
    await writeFile(place, '');
    const message = expect.stringContaining(`the file ${place} is in the way`);
    await expect(run(yesNo(2))).rejects.toMatchObject({ code: 'not_writable', message });
    expect(asked).toEqual([]);
  });

  it('goes on where an interrupted one was, and leaves nothing behind', async () => {
    const interrupted = new AbortController();
    reply = () => {
      if (asked.length === 12) interrupted.abort();
      return 'yes';
    };
    await expect(run(yesNo(40), { signal: interrupted.signal })).rejects.toThrow('aborted');
    const before = asked.length;
    expect(cloud.evaluations).toEqual([]);
    // A line that a killed process left incomplete.
    const place = join(folder, '.svc', 'evaluations');
    const [file] = await readdir(place);
    await writeFile(join(place, file!), '{"row":40,"ans', { flag: 'a' });
    reply = () => 'yes';
    const made = await run(yesNo(40));
    expect(made).toMatchObject({ data: { rows: 40 }, failed: 0, kept: { rows: 40 } });
    expect(asked.length).toBeLessThan(before + 40);
    expect(await readdir(place)).toEqual([]);
  });

  it('fails with what the cloud refuses, and asks no more', async () => {
    reply = () => {
      throw new ApiError('model_not_supported', 'Another base model.');
    };
    await expect(run(yesNo(200))).rejects.toMatchObject({ code: 'model_not_supported' });
    expect(asked.length).toBeLessThan(20);
  });
});
