import { describe, expect, it } from 'vitest';
import { readChatRequest } from '../../../lib/cloud/openai/read-request.js';

const messages = [{ role: 'user', content: 'hi' }];
const tools = [{ type: 'function', function: { name: 'f' } }];

describe('what is built of the published format', () => {
  it('is several choices, penalties and log-probabilities', () => {
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

  it.each([
    ['response_format', { type: 'json_object' }],
    ['response_format', { type: 'json_schema', json_schema: { name: 's', schema: {} } }],
    ['tools', tools],
    ['tool_choice', 'required'],
    ['tool_choice', { type: 'function', function: { name: 'f' } }],
    ['logit_bias', { 5: 1 }],
  ])('is not %s: %j', (param, value) => {
    expect(() => readChatRequest({ messages, [param]: value })).toThrow(
      expect.objectContaining({ status: 400, code: 'unsupported_parameter', param }),
    );
  });

  it('is tools that must not be called, in their shape', () => {
    expect(readChatRequest({ messages, tools, tool_choice: 'none' }).messages).toEqual(messages);
    expect(() => readChatRequest({ messages, tools: [{}], tool_choice: 'none' })).toThrow(
      expect.objectContaining({ code: 'invalid_value' }),
    );
    expect(() => readChatRequest({ messages, tools, tool_choice: 'auto' })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'tools' }),
    );
  });

  it('is alternatives only beside log-probabilities', () => {
    expect(() => readChatRequest({ messages, top_logprobs: 2 })).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'top_logprobs' }),
    );
    expect(readChatRequest({ messages, top_logprobs: 0, logprobs: null }).top_logprobs).toBe(0);
  });

  it.each([[null], ['x'], [[]]])('is an object, not %j', body => {
    expect(() => readChatRequest(body)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
});
