import { describe, expect, it } from 'vitest';
import { readChatRequest } from '../../../lib/cloud/openai/read-request.js';

const messages = [{ role: 'user', content: 'hi' }];
const tools = [{ type: 'function', function: { name: 'f' } }];

describe('a chat completion request', () => {
  it('may use several choices, penalties and log-probabilities', () => {
    const body = {
      messages,
      n: 2,
      frequency_penalty: 0.5,
      presence_penalty: 0.5,
      logprobs: true,
      top_logprobs: 3,
    };
    expect(readChatRequest(body)).toEqual(body);
  });

  it.each<[field: string, value: unknown]>([
    ['response_format', { type: 'json_object' }],
    ['response_format', { type: 'json_schema', json_schema: { name: 's', schema: {} } }],
    ['tools', tools],
    ['tool_choice', 'none'],
  ])('may use %s: %j', (field, value) => {
    expect(readChatRequest({ messages, [field]: value })).toEqual({ messages, [field]: value });
  });

  it.each<[choice: unknown, tools: unknown]>([
    ['required', undefined],
    ['required', []],
    [{ type: 'function', function: { name: 'g' } }, tools],
  ])('may not choose a tool that is not there: %j of %j', (choice, given) => {
    expect(() => readChatRequest({ messages, tools: given, tool_choice: choice })).toThrow(
      expect.objectContaining({ status: 400, code: 'invalid_value', param: 'tool_choice' }),
    );
    expect(() => readChatRequest({ messages, tools: [{}], tool_choice: 'none' })).toThrow(
      expect.objectContaining({ code: 'invalid_value' }),
    );
  });

  it.each([
    [{ x: 1 }],
    [{ 5: 101 }],
    [{ 5: '1' }],
    [{ '-1': 1 }],
    [Object.fromEntries(Array.from({ length: 301 }, (_, id) => [id, 1]))],
  ])('may not bias tokens by %j', bias => {
    expect(() => readChatRequest({ messages, logit_bias: bias })).toThrow(
      expect.objectContaining({ status: 400, param: expect.stringContaining('logit_bias') }),
    );
  });

  it('may set top_logprobs only together with logprobs', () => {
    expect(() => readChatRequest({ messages, top_logprobs: 2 })).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'top_logprobs' }),
    );
    expect(readChatRequest({ messages, top_logprobs: 0, logprobs: null }).top_logprobs).toBe(0);
  });

  it.each([[null], ['x'], [[]]])('must be an object, not %j', body => {
    expect(() => readChatRequest(body)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
});
