// Anthropic's format: requests become chats, and answers what the official types say.
import type { Message, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import { messagesToChat, readMessages } from '../../../lib/cloud/answers/messages.js';
import {
  ApiError,
  anthropicEvent,
  anthropicMessage,
  parseCountRequest,
  parseMessagesRequest,
} from '../../../lib/contract/index.js';
import type { Piece } from '../../../lib/engine/index.js';
import { end, text } from '../backends/scripted-backend.js';
import { head, pieces } from './sample-answer.js';

const least = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
const chatOf = (body: object) => messagesToChat(parseMessagesRequest({ ...least, ...body }));
const format = () => readMessages(least).format(head, () => head.created);
const use = { type: 'tool_use', id: 'a', name: 'look', input: { at: 'here' } };
const said = (role: string, content: unknown = 'x') => ({ role, content });
const part = (words: string) => ({ type: 'text', text: words });

describe("a request in Anthropic's format", () => {
  it('becomes a chat, with the system prompt first', () => {
    const same = { temperature: 0.5, top_p: 0.9, top_k: 5, stream: true };
    const system = [{ ...part('Be '), cache_control: { type: 'ephemeral' } }, part('brief.')];
    expect(chatOf({ ...same, system, stop_sequences: ['END'] })).toEqual({
      ...same,
      model: 'm',
      messages: [{ role: 'system', content: 'Be brief.' }, ...least.messages],
      max_completion_tokens: 9,
      stop: ['END'],
    });
  });

  it('keeps calls of tools and their outputs, each as a turn', () => {
    const result = { type: 'tool_result', tool_use_id: 'a', content: [part('rain')], is_error: false };
    const messages = [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: [part('Let me see.'), use] },
      { role: 'user', content: [result, part('And tomorrow?')] },
    ];
    const tool_calls = [
      { id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":"here"}' } },
    ];
    expect(chatOf({ messages }).messages).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: 'Let me see.', tool_calls },
      { role: 'tool', tool_call_id: 'a', content: 'rain' },
      { role: 'user', content: 'And tomorrow?' },
    ]);
  });

  it('may ask for a schema, and leaves out what was thought before', () => {
    const schema = { type: 'object' };
    const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema } };
    for (const asked of ['output_config', 'output_format']) {
      const format = { type: 'json_schema', schema };
      const body = asked === 'output_config' ? { format, effort: 'low' } : format;
      expect(chatOf({ [asked]: body })).toMatchObject({ response_format });
    }
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const content = [thinking, { type: 'redacted_thinking', data: 'x' }, part('Hello.')];
    const messages = [...least.messages, { role: 'assistant', content }, ...least.messages];
    expect(chatOf({ messages }).messages[1]).toEqual({
      role: 'assistant',
      content: 'Hello.',
      reasoning_content: 'Hm.',
    });
  });

  it('takes an empty answer, but no empty question', () => {
    const empty = (role: string) => ({
      messages: [...least.messages, { role, content: [] }, ...least.messages],
    });
    expect(chatOf(empty('assistant')).messages[1]).toEqual({ role: 'assistant', content: '' });
    for (const role of ['user', 'system'])
      expect(() => chatOf(empty(role))).toThrow(expect.objectContaining({ param: 'messages[1].content' }));
  });

  it('keeps messages of the system in their places', () => {
    const messages = [...least.messages, said('system', [part('Be '), part('brief.')]), said('system')];
    expect(chatOf({ system: 'Be kind.', messages }).messages).toEqual([
      said('system', 'Be kind.'),
      ...least.messages,
      said('system', 'Be brief.'),
      said('system'),
    ]);
  });

  it.each([
    [[part('no such file')], 'Error: no such file'],
    ['no such file', 'Error: no such file'],
    [undefined, 'Error'],
    ['', 'Error'],
  ])('tells the model that a tool failed: %j', (content, told) => {
    const result = { type: 'tool_result', tool_use_id: 'a', content, is_error: true };
    const messages = [{ role: 'user', content: [result] }];
    expect(chatOf({ messages }).messages).toEqual([{ role: 'tool', tool_call_id: 'a', content: told }]);
  });

  it.each([
    ['an answer', [...least.messages, said('assistant')]],
    ['an answer and the system', [...least.messages, said('assistant'), said('system')]],
    ['the system alone', [said('system')]],
  ])('is refused if nothing of the user follows %s', (_, messages) => {
    const message =
      "`messages` must end with a user's message, because this model cannot continue an answer.";
    const fault = { status: 400, code: 'invalid_value', param: 'messages', message };
    expect(() => chatOf({ messages })).toThrow(expect.objectContaining(fault));
    expect(() => parseCountRequest({ model: 'm', messages })).toThrow(expect.objectContaining(fault));
  });

  it('takes null for absent, and ignores what changes nothing', () => {
    const choices = { stop_sequences: [], tools: [], tool_choice: { type: 'auto' }, system: null };
    const ignored = { metadata: { user_id: 'u' }, service_tier: 'auto' };
    expect(chatOf({ ...choices, ...ignored })).toEqual(chatOf({}));
  });

  const saying = (...content: object[]) => [{ role: 'user', content }];
  it.each([
    ['tools', [{ type: 'web_search_20250305', name: 'web_search' }], 'tools[0].type'],
    ['container', 'c', 'container'],
    ['mcp_servers', [{}], 'mcp_servers'],
    ['messages', saying({ type: 'image' }), 'messages[0].content[0].type'],
    [
      'messages',
      saying({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image' }] }),
      'messages[0].content[0].content[0].type',
    ],
  ])('is refused by name where it asks for more: %s %j', (field, value, param) => {
    const refusal = expect.objectContaining({ status: 400, code: 'unsupported_parameter', param });
    expect(() => chatOf({ [field]: value })).toThrow(refusal);
  });

  it('is refused with more parts than any context has room for, before it looks at them', () => {
    const content = Array.from({ length: 6_000 }, () => part('x'));
    const blocks = ['a', 'b'].map(tool_use_id => ({ type: 'tool_result', tool_use_id, content }));
    const refusal = expect.objectContaining({ code: 'context_length_exceeded' });
    expect(() => chatOf({ messages: saying(...blocks) })).toThrow(refusal);
  });

  it.each([
    ['no limit', { max_tokens: undefined }],
    ['no messages', { messages: [] }],
    ['messages of another kind', { messages: 'Hi' }],
    ['a role of its own', { messages: [said('critic'), ...least.messages] }],
    ['a call of the system', { messages: [said('system', [use]), ...least.messages] }],
    ['a temperature of 2', { temperature: 2 }],
    ['too many stop sequences', { stop_sequences: ['a', 'b', 'c', 'd', 'e'] }],
  ])('is refused with %s', (_, body) => {
    expect(() => chatOf(body)).toThrow(expect.objectContaining({ status: 400, code: 'invalid_value' }));
  });
});

describe('a message', () => {
  async function collect(...said: Piece[]): Promise<Message> {
    const document = (await format().collect(pieces(...said))) as Message;
    expect(anthropicMessage.parse(document)).toEqual(document);
    return document;
  }

  it('has the text, why it ended, and the usage with what was kept apart', async () => {
    const last = { ...end(50, 3), usage: { promptTokens: 50, cachedTokens: 40, completionTokens: 3 } };
    expect(await collect(text('Hel'), text('lo'), last)).toMatchObject({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [part('Hello')],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 10, cache_read_input_tokens: 40, output_tokens: 3 },
    });
    expect((await collect(text('H'), end(5, 1, 'length'))).stop_reason).toBe('max_tokens');
    const ended = await collect(text('H'), { ...end(5, 1), stopSequence: 'END' });
    expect(ended).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' });
  });

  it('comes in events, in the order of the format', async () => {
    const events: RawMessageStreamEvent[] = [];
    const first = { ...text('H'), promptUsage: { promptTokens: 5, cachedTokens: 2 } };
    for await (const { event, data } of format().events(pieces(first, text('i'), end(5, 2)))) {
      const parsed = JSON.parse(data) as RawMessageStreamEvent;
      expect(parsed.type).toBe(event);
      expect(anthropicEvent.parse(parsed)).toEqual(parsed);
      events.push(parsed);
    }
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    const known = { input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 0 };
    expect(events[0]).toMatchObject({ message: { content: [], stop_reason: null, usage: known } });
    const usage = { input_tokens: 5, output_tokens: 2 };
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage });
  });

  it('that fails midway ends with an error, which tells nothing of ours', () => {
    const told = [new Error('/secret'), new ApiError('engine_unavailable', 'Try again.')].map(error => {
      const { event, data } = format().failure(error, 'req_1');
      return [event, JSON.parse(data)];
    });
    const failure = (type: string, message: string) => [
      'error',
      { type: 'error', error: { type, message }, request_id: 'req_1' },
    ];
    expect(told).toEqual([
      failure('api_error', 'Something went wrong on our side.'),
      failure('overloaded_error', 'Try again.'),
    ]);
  });
});
