import { expect, it } from 'vitest';
import { fromInferenceRequest, toChatTasks } from '../../../lib/cloud/answers/chat.js';
import type { ChatCompletionRequest } from '../../../lib/contract/index.js';

const messages: ChatCompletionRequest['messages'] = [{ role: 'user', content: 'hi' }];
const tasksOf = (request: Partial<ChatCompletionRequest>) =>
  toChatTasks({ messages, ...request }, { adapter: null });
const taskOf = (request: Partial<ChatCompletionRequest>) => tasksOf(request)[0]!;

it('turns developer into system, joins text parts, and replaces missing content with an empty string', () => {
  const part = (text: string) => ({ type: 'text' as const, text });
  const call = { id: 'c1', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
  const turns: ChatCompletionRequest['messages'] = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', name: 'ada', content: [part('one '), part('two')] },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', content: [part('42')], tool_call_id: 'c1' },
    { role: 'system', content: 'Go on.' },
  ];
  expect(taskOf({ messages: turns }).messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', name: 'ada', content: 'one two' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', content: '42', tool_call_id: 'c1' },
    { role: 'system', content: 'Go on.' },
  ]);
});

it("takes a task's settings from the request, and the adapter from the target", () => {
  const same = { messages, temperature: 0.5, seed: 3, stop: ['a', 'b'] };
  const penalties = { frequency_penalty: 0.1, presence_penalty: -0.2, logit_bias: { 5: -100 } };
  const request = { ...same, ...penalties, top_p: 0.9, max_tokens: 7, logprobs: true, top_logprobs: 2 };
  const target = { adapter: '/adapter', caller: 'key-1' };
  const asked = { frequencyPenalty: 0.1, presencePenalty: -0.2, logitBias: { 5: -100 } };
  expect(toChatTasks(request, target)).toEqual([
    { ...same, ...asked, ...target, topP: 0.9, maxTokens: 7, logprobs: 2 },
  ]);
});

it('accepts a single stop string, max_completion_tokens, and logprobs without alternatives', () => {
  expect(taskOf({ stop: 'a' }).stop).toEqual(['a']);
  expect(taskOf({ max_tokens: 7, max_completion_tokens: 5 }).maxTokens).toBe(5);
  expect(taskOf({ logprobs: true }).logprobs).toBe(0);
  expect(taskOf({ logprobs: false }).logprobs).toBeUndefined();
  expect(taskOf({}).seed).toBeUndefined();
});

it('repeats a task for each choice, with increasing seeds', () => {
  expect(tasksOf({ n: 3, seed: 5 }).map(({ seed }) => seed)).toEqual([5, 6, 7]);
  expect(tasksOf({ n: 2 }).map(({ seed }) => seed)).toEqual([undefined, undefined]);
});

it("converts the Playground's option names to OpenAI's", () => {
  const same = { messages, stream: true, temperature: 0.5, stop: 'x', seed: 1 };
  const asked = fromInferenceRequest({ ...same, baseModel: 'm', topP: 0.9, maxTokens: 4 });
  expect(asked).toEqual({ ...same, top_p: 0.9, max_tokens: 4 });
});
