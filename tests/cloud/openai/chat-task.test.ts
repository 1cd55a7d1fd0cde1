import { describe, expect, it } from 'vitest';
import { fromInferenceRequest, toChatTasks } from '../../../lib/cloud/openai/chat-task.js';
import type { ChatCompletionRequest } from '../../../lib/contract/index.js';

const messages: ChatCompletionRequest['messages'] = [{ role: 'user', content: 'hi' }];
const taskOf = (request: Partial<ChatCompletionRequest>) =>
  toChatTasks({ messages, ...request }, { adapter: null })[0]!;

describe('the conversation of a task', () => {
  it('turns developer into system, joins text parts, and replaces missing content with an empty string', () => {
    const call = { id: 'c1', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const turns = taskOf({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          name: 'ada',
          content: [
            { type: 'text', text: 'one ' },
            { type: 'text', text: 'two' },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', content: [{ type: 'text', text: '42' }], tool_call_id: 'c1' },
        { role: 'system', content: 'Go on.' },
      ],
    }).messages;
    expect(turns).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', name: 'ada', content: 'one two' },
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', content: '42', tool_call_id: 'c1' },
      { role: 'system', content: 'Go on.' },
    ]);
  });
});

describe('the settings of a task', () => {
  it('come from the request, and the adapter from the target', () => {
    const request: ChatCompletionRequest = {
      messages,
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 7,
      frequency_penalty: 0.1,
      presence_penalty: -0.2,
      logit_bias: { 5: -100 },
      seed: 3,
      stop: ['a', 'b'],
      logprobs: true,
      top_logprobs: 2,
    };
    expect(toChatTasks(request, { adapter: '/adapter', caller: 'key-1' })).toEqual([
      {
        caller: 'key-1',
        messages,
        adapter: '/adapter',
        temperature: 0.5,
        topP: 0.9,
        maxTokens: 7,
        frequencyPenalty: 0.1,
        presencePenalty: -0.2,
        logitBias: { 5: -100 },
        seed: 3,
        stop: ['a', 'b'],
        logprobs: 2,
      },
    ]);
  });

  it('accept a single stop string, max_completion_tokens, and logprobs without alternatives', () => {
    expect(taskOf({ stop: 'a' }).stop).toEqual(['a']);
    expect(taskOf({ max_tokens: 7, max_completion_tokens: 5 }).maxTokens).toBe(5);
    expect(taskOf({ logprobs: true }).logprobs).toBe(0);
    expect(taskOf({ logprobs: false }).logprobs).toBeUndefined();
    expect(taskOf({}).seed).toBeUndefined();
  });

  it('are repeated for each choice, with increasing seeds', () => {
    expect(toChatTasks({ messages, n: 3, seed: 5 }, { adapter: null }).map(({ seed }) => seed)).toEqual([
      5, 6, 7,
    ]);
    expect(toChatTasks({ messages, n: 2 }, { adapter: null }).map(({ seed }) => seed)).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("the Playground's request", () => {
  it('is converted to the OpenAI option names', () => {
    const settings = { messages, stream: true, temperature: 0.5, stop: 'x', seed: 1 };
    expect(fromInferenceRequest({ ...settings, baseModel: 'm', topP: 0.9, maxTokens: 4 })).toEqual({
      ...settings,
      top_p: 0.9,
      max_tokens: 4,
    });
  });
});
