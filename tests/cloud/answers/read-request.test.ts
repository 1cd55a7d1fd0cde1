import { describe, expect, it } from 'vitest';
import { readChatRequest } from '../../../lib/cloud/answers/read-request.js';

const messages = [{ role: 'user', content: 'hi' }];
const tools = [{ type: 'function', function: { name: 'f' } }];
const read = (fields: object) => () => readChatRequest({ messages, ...fields });
const naming = (param: string) =>
  expect.objectContaining({ status: 400, code: 'invalid_value', param: expect.stringContaining(param) });

describe('a chat completion request', () => {
  it.each([
    { n: 2, frequency_penalty: 0.5, presence_penalty: 0.5, logprobs: true, top_logprobs: 3 },
    { response_format: { type: 'json_object' } },
    { response_format: { type: 'json_schema', json_schema: { name: 's', schema: {} } } },
    { tools },
    { tool_choice: 'none' },
  ])('may use %j', fields => {
    expect(read(fields)()).toEqual({ messages, ...fields });
  });

  it.each<[choice: unknown, tools: unknown]>([
    ['required', undefined],
    ['required', []],
    [{ type: 'function', function: { name: 'g' } }, tools],
  ])('may not choose a tool that is not there: %j of %j', (tool_choice, given) => {
    expect(read({ tools: given, tool_choice })).toThrow(naming('tool_choice'));
  });

  it.each([
    [{ x: 1 }],
    [{ 5: 101 }],
    [{ 5: '1' }],
    [{ '-1': 1 }],
    [Object.fromEntries(Array.from({ length: 301 }, (_, id) => [id, 1]))],
  ])('may not bias tokens by %j', logit_bias => {
    expect(read({ logit_bias })).toThrow(naming('logit_bias'));
  });

  it('may set top_logprobs only together with logprobs', () => {
    expect(read({ top_logprobs: 2 })).toThrow(naming('top_logprobs'));
    expect(read({ top_logprobs: 0, logprobs: null })().top_logprobs).toBe(0);
  });

  it('holds tools to their shape', () => {
    expect(read({ tools: [{}], tool_choice: 'none' })).toThrow(naming('tools'));
  });
});
