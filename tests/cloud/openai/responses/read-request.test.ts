import { describe, expect, it } from 'vitest';
import { readResponsesRequest } from '../../../../lib/cloud/openai/responses/read-request.js';

const chatOf = (body: object) => readResponsesRequest(body).chat;

describe('a request in the Responses format', () => {
  it('with a text is one message of the user, after the instructions', () => {
    expect(chatOf({ model: 'm', input: 'Hello', instructions: 'Be brief.' }).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ]);
  });

  it('with items keeps their order, and calls of functions are turns of the assistant', () => {
    const input = [
      { role: 'developer', content: 'Use the tools.' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Wea' },
          { type: 'input_text', text: 'ther?' },
        ],
      },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'a',
        name: 'look',
        arguments: '{"at":"here"}',
        status: 'completed',
      },
      { type: 'function_call', call_id: 'b', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'rain' },
      { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'sun' }] },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Rain.', annotations: [] }],
      },
    ];
    const call = (id: string, args: string) => ({
      id,
      type: 'function',
      function: { name: 'look', arguments: args },
    });
    expect(chatOf({ input }).messages).toEqual([
      { role: 'developer', content: 'Use the tools.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: null, tool_calls: [call('a', '{"at":"here"}'), call('b', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: 'rain' },
      { role: 'tool', tool_call_id: 'b', content: 'sun' },
      { role: 'assistant', content: 'Rain.' },
    ]);
  });

  it('joins what the assistant said with the calls that follow', () => {
    const input = [
      { role: 'assistant', content: 'Let me see.' },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
    ];
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }];
    expect(chatOf({ input }).messages).toEqual([{ role: 'assistant', content: 'Let me see.', tool_calls }]);
  });

  it('hands on what the engine can do', () => {
    const body = { input: 'x', max_output_tokens: 5, temperature: 0.5, top_p: 0.9, stream: true };
    const scored = { include: ['message.output_text.logprobs'], top_logprobs: 2 };
    expect(chatOf({ ...body, ...scored })).toMatchObject({
      max_completion_tokens: 5,
      temperature: 0.5,
      top_p: 0.9,
      stream: true,
      logprobs: true,
      top_logprobs: 2,
    });
    expect(chatOf(body).logprobs).toBeUndefined();
  });

  it('takes null for absent, and ignores what changes nothing', () => {
    const nothing = {
      instructions: null,
      previous_response_id: null,
      background: false,
      tools: [],
      tool_choice: 'auto',
      context_management: [],
      reasoning: { effort: null, summary: null, generate_summary: null },
      text: { format: { type: 'text' }, verbosity: 'medium' },
      truncation: 'disabled',
      service_tier: 'auto',
      store: true,
      metadata: { a: 'b' },
      stream_options: { include_obfuscation: false },
      some_future_field: 1,
    };
    expect(chatOf({ input: 'x', ...nothing }).messages).toEqual([{ role: 'user', content: 'x' }]);
  });

  it.each([
    ['previous_response_id', 'resp_1', 'previous_response_id'],
    ['conversation', 'conv_1', 'conversation'],
    ['prompt', { id: 'p' }, 'prompt'],
    ['background', true, 'background'],
    ['tools', [{ type: 'web_search' }], 'tools[0].type'],
    ['max_tool_calls', 1, 'max_tool_calls'],
    ['context_management', [{ type: 'compaction' }], 'context_management'],
    ['reasoning', { effort: 'low' }, 'reasoning'],
    ['reasoning', { generate_summary: 'auto' }, 'reasoning'],
    ['text', { verbosity: 'low' }, 'text.verbosity'],
    ['truncation', 'auto', 'truncation'],
    ['include', ['file_search_call.results'], 'include'],
    ['input', [{ type: 'item_reference', id: 'x' }], 'input[0].type'],
    ['input', [{ role: 'user', content: [{ type: 'input_image' }] }], 'input[0].content[0].type'],
  ])('is refused by name where it asks for more: %s %j', (field, value, param) => {
    expect(() => chatOf({ input: 'x', [field]: value })).toThrow(
      expect.objectContaining({ status: 400, code: 'unsupported_parameter', param }),
    );
  });

  it.each([
    ['no input', {}],
    ['an empty list', { input: [] }],
    ['a role of its own', { input: [{ role: 'critic', content: 'x' }] }],
    ['a temperature of 3', { input: 'x', temperature: 3 }],
    ['no tokens', { input: 'x', max_output_tokens: 0 }],
  ])('is refused with %s', (_, body) => {
    expect(() => chatOf(body)).toThrow(expect.objectContaining({ status: 400, code: 'invalid_value' }));
  });

  it('is refused with more items than any context has room for, before it looks at them', () => {
    const input = Array.from({ length: 10_001 }, () => ({ role: 'user', content: 'x' }));
    expect(() => chatOf({ input })).toThrow(expect.objectContaining({ code: 'context_length_exceeded' }));
    const output = Array.from({ length: 6_000 }, () => ({ type: 'input_text', text: 'x' }));
    const outputs = ['a', 'b'].map(call_id => ({ type: 'function_call_output', call_id, output }));
    expect(() => chatOf({ input: outputs })).toThrow(
      expect.objectContaining({ code: 'context_length_exceeded', param: 'input' }),
    );
    expect(chatOf({ input: outputs.slice(1) }).messages).toHaveLength(1);
  });

  it('is refused with a list of inclusions that is too long', () => {
    const include = Array.from({ length: 101 }, () => 'message.output_text.logprobs');
    expect(() => chatOf({ input: 'x', include })).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'include' }),
    );
  });
});
