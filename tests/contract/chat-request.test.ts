import { describe, expect, it } from 'vitest';
import { type ChatFeature, parseChatRequest } from '../../lib/contract/index.js';

const messages = [{ role: 'user', content: 'hi' }];
const none: ReadonlySet<ChatFeature> = new Set();

describe('a chat-completions request', () => {
  it('needs messages and nothing else', () => {
    expect(parseChatRequest({ messages }, none)).toEqual({ messages });
    expect(() => parseChatRequest({}, none)).toThrow(expect.objectContaining({ param: 'messages' }));
  });

  it('takes null as absent', () => {
    expect(parseChatRequest({ messages, temperature: null, tools: null, stop: null }, none)).toEqual({
      messages,
    });
  });

  it("takes null as absent inside, too, but leaves what is the caller's own alone", () => {
    const schema = { type: 'object', properties: { a: { default: null } } };
    const body = {
      messages: [
        { role: 'user', content: 'hi', name: null },
        { role: 'assistant', content: 'hello', tool_calls: null },
      ],
      stream_options: { include_usage: null },
      tools: [{ type: 'function', function: { name: 'f', description: null, parameters: schema } }],
      model: 5,
    };
    const { messages: read, tools, stream_options } = parseChatRequest(body, new Set<ChatFeature>(['tools']));
    expect(read).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
    ]);
    expect(tools![0]!.function.parameters).toEqual(schema);
    expect(stream_options).toEqual({});
  });

  it('lets pass what the format does not list, and what asks for nothing', () => {
    const body = {
      messages,
      model: 'anything',
      user: 'u',
      store: true,
      metadata: { a: 'b' },
      my_own_field: 1,
      n: 1,
      tools: [],
      response_format: { type: 'text' },
      logit_bias: {},
      top_logprobs: 0,
    };
    expect(parseChatRequest(body, none)).toEqual(body);
  });

  it.each([
    ['n', 2],
    ['tools', [{ type: 'function', function: { name: 'f' } }]],
    ['tool_choice', 'required'],
    ['response_format', { type: 'json_object' }],
    ['logprobs', true],
    ['logit_bias', { 5: 1 }],
    ['audio', { voice: 'x' }],
    ['modalities', ['text', 'audio']],
    ['frequency_penalty', 0.5],
    ['reasoning_effort', 'high'],
  ])('refuses %s, which is not built, by name', (param, value) => {
    expect(() => parseChatRequest({ messages, [param]: value }, none)).toThrow(
      expect.objectContaining({ status: 400, code: 'unsupported_parameter', param }),
    );
  });

  it('accepts a feature that is built, and then holds it to its shape', () => {
    const built: ReadonlySet<ChatFeature> = new Set(['n', 'response_format']);
    expect(parseChatRequest({ messages, n: 4 }, built).n).toBe(4);
    expect(() => parseChatRequest({ messages, n: 5 }, built)).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'n' }),
    );
  });

  it('refuses parts that are no text', () => {
    const content = [
      { type: 'text', text: 'what is this?' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ];
    expect(() => parseChatRequest({ messages: [{ role: 'user', content }] }, none)).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'messages[0].content[1].type' }),
    );
  });

  it('lets an assistant message be empty only beside tool calls', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const turn = { role: 'assistant', content: null, tool_calls: [call] };
    expect(parseChatRequest({ messages: [...messages, turn] }, none).messages).toHaveLength(2);
    expect(() => parseChatRequest({ messages: [{ role: 'assistant', content: null }] }, none)).toThrow(
      expect.objectContaining({ param: 'messages[0].content' }),
    );
  });

  it.each([[null], [[]], ['x'], [7]])('is a JSON object, not %j', body => {
    expect(() => parseChatRequest(body, none)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
