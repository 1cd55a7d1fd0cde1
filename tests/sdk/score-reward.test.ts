// A reward as an eval: rows of a file or of the program are answered and rewarded like those of a run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { scoreReward } from '../../lib/sdk/public.js';
import type { EvalContext, Infer, InferInput, RewardFunction } from '../../lib/sdk/trainer/options.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { toCompletion } from './support.js';

afterEach(() => vi.restoreAllMocks());

function contextOf(answer: (text: string) => string) {
  const asked: InferInput[] = [];
  const infer = (async (input: InferInput) => {
    asked.push(input);
    return toCompletion(answer(input.messages.at(-1)!.content as string));
  }) as Infer;
  const context: EvalContext = { step: 7, adapter: { kind: 'final', jobId: 'j' }, infer };
  return { context, asked };
}

const isRight: RewardFunction = (answer, { row }) => (answer === row.right ? 1 : 0);

describe('scoreReward', () => {
  it('answers the rows of a file at temperature 0, and returns the mean of their rewards', async () => {
    const folder = temporaryFolder('svc-score-reward');
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    const rows = ['a', 'b', 'c', 'd'].map(prompt => ({ prompt, right: prompt === 'd' ? 'x' : prompt }));
    writeFileSync(join(folder, 'rows.jsonl'), rows.map(row => `${JSON.stringify(row)}\n`).join(''));
    const { context, asked } = contextOf(text => text);
    expect(await scoreReward(isRight, { on: 'rows.jsonl' })(context)).toBe(0.75);
    expect(asked).toHaveLength(4);
    expect(asked[0]).toMatchObject({ messages: [{ role: 'user', content: 'a' }], temperature: 0 });
    expect(await scoreReward(isRight, { on: 'rows.jsonl', limit: 3 })(context)).toBe(1);
  });

  it('gives the function what a run gives it, and constrains answers', async () => {
    const seen: unknown[] = [];
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '2' },
    ];
    const { context, asked } = contextOf(() => '{"sum":2}');
    const schema = { type: 'object', properties: { sum: { type: 'number' } } };
    const reward: RewardFunction = (answer, { signal: _, ...given }) => {
      seen.push({ answer, ...given });
      return { reward: 0.5, parts: { valid: 1 } };
    };
    expect(await scoreReward(reward, { on: [{ messages, n: 2 }], schema, maxTokens: 9 })(context)).toBe(0.5);
    expect(asked[0]).toMatchObject({ messages, schema, maxTokens: 9 });
    expect(seen).toEqual([
      { answer: '{"sum":2}', row: { messages, n: 2 }, messages, toolCalls: [], step: 7 },
    ]);
  });

  it('asks with the tools of a row, and gives the function the calls of the answer', async () => {
    const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }];
    const call = { id: 'call_0', type: 'function', function: { name: 'add', arguments: '{"a":1}' } } as const;
    const called = { role: 'assistant', tool_calls: [{ function: { name: 'add', arguments: { a: 2 } } }] };
    const messages = [{ role: 'user', content: '1+1' }, called, { role: 'tool', content: '2' }];
    const asked: InferInput[] = [];
    const infer = (async (input: InferInput) => {
      asked.push(input);
      const { choices, ...rest } = toCompletion('');
      const message = { ...choices[0]!.message, content: null, tool_calls: [call] };
      return { ...rest, choices: [{ ...choices[0]!, message }] };
    }) as Infer;
    const seen: unknown[] = [];
    const reward: RewardFunction = (answer, { toolCalls }) => {
      seen.push([answer, toolCalls]);
      return toolCalls.length;
    };
    const on = [
      { messages, tools },
      { prompt: 'Hello', tools: [] },
    ];
    const context: EvalContext = { step: 7, adapter: { kind: 'final', jobId: 'j' }, infer };
    expect(await scoreReward(reward, { on })(context)).toBe(1);
    expect(asked[0]).toMatchObject({
      tools,
      messages: [{}, { tool_calls: [{ type: 'function', function: { arguments: '{"a":2}' } }] }, {}],
    });
    expect(asked[1]).not.toHaveProperty('tools');
    expect(seen[0]).toEqual(['', [call]]);
  });

  it('leaves out answers without a reward, and has no score if they are more than a fifth', async () => {
    const { context } = contextOf(text => text);
    const reward: RewardFunction = answer => {
      if (answer === 'bad') throw new Error('no parser');
      return 0.25;
    };
    const on = (...prompts: string[]) => ({ on: prompts.map(prompt => ({ prompt })) });
    const four = ['a', 'b', 'c', 'd'];
    expect(await scoreReward(reward, on(...four, 'bad'))(context)).toBe(0.25);
    await expect(scoreReward(reward, on(...four, 'bad', 'bad'))(context)).rejects.toThrow(
      '2 of 6 answers got no reward. The first: no parser',
    );
    await expect(scoreReward(reward, on())(context)).rejects.toThrow('There are no rows to answer.');
    await expect(scoreReward(reward, { on: [{ text: 'a' }] })(context)).rejects.toThrow('nor a `prompt`');
  });
});
