import { describe, expect, it } from 'vitest';
import { readMessagesRequest } from '../../../../lib/cloud/openai/messages/read-request.js';

const least = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
const chatOf = (body: object) => readMessagesRequest({ ...least, ...body }).chat;

describe("a request in Anthropic's format", () => {
  it('becomes a chat, with the system prompt first', () => {
    const asked = {
      system: [
        { type: 'text', text: 'Be ', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'brief.' },
      ],
      temperature: 0.5,
      top_p: 0.9,
      stop_sequences: ['END'],
      stream: true,
    };
    expect(chatOf(asked)).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      max_completion_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      stop: ['END'],
      stream: true,
    });
  });

  it('keeps calls of tools and their outputs, each as a turn', () => {
    const messages = [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'a', name: 'look', input: { at: 'here' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [{ type: 'text', text: 'rain' }],
            is_error: false,
          },
          { type: 'text', text: 'And tomorrow?' },
        ],
      },
    ];
    expect(chatOf({ messages }).messages).toEqual([
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":"here"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'rain' },
      { role: 'user', content: 'And tomorrow?' },
    ]);
  });

  it('takes null for absent, and ignores what changes nothing', () => {
    const nothing = {
      system: null,
      stop_sequences: [],
      tools: [],
      tool_choice: { type: 'auto' },
      thinking: { type: 'disabled' },
      metadata: { user_id: 'u' },
      service_tier: 'auto',
    };
    expect(chatOf(nothing)).toEqual(chatOf({}));
  });

  it.each([
    ['tools', [{ type: 'web_search_20250305', name: 'web_search' }], 'tools[0].type'],
    ['top_k', 5, 'top_k'],
    ['thinking', { type: 'enabled', budget_tokens: 1024 }, 'thinking'],
    ['container', 'c', 'container'],
    ['mcp_servers', [{}], 'mcp_servers'],
    ['output_config', { format: {} }, 'output_config'],
    ['messages', [{ role: 'user', content: [{ type: 'image' }] }], 'messages[0].content[0].type'],
    [
      'messages',
      [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image' }] }] }],
      'messages[0].content[0].content[0].type',
    ],
  ])('is refused by name where it asks for more: %s %j', (field, value, param) => {
    expect(() => chatOf({ [field]: value })).toThrow(
      expect.objectContaining({ status: 400, code: 'unsupported_parameter', param }),
    );
  });

  it('is refused with more parts than any context has room for, before it looks at them', () => {
    const content = Array.from({ length: 6_000 }, () => ({ type: 'text', text: 'x' }));
    const blocks = ['a', 'b'].map(tool_use_id => ({ type: 'tool_result', tool_use_id, content }));
    const messages = [{ role: 'user', content: blocks }];
    expect(() => chatOf({ messages })).toThrow(expect.objectContaining({ code: 'context_length_exceeded' }));
  });

  it.each([
    ['no limit', { max_tokens: undefined }],
    ['no messages', { messages: [] }],
    ['messages of another kind', { messages: 'Hi' }],
    ['a system message among the others', { messages: [{ role: 'system', content: 'x' }] }],
    ['a temperature of 2', { temperature: 2 }],
    ['too many stop sequences', { stop_sequences: ['a', 'b', 'c', 'd', 'e'] }],
  ])('is refused with %s', (_, body) => {
    expect(() => chatOf(body)).toThrow(expect.objectContaining({ status: 400, code: 'invalid_value' }));
  });
});
