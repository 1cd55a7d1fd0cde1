import type { Message, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import type { ChoicePiece } from '../../../../lib/cloud/openai/choices.js';
import type { Head } from '../../../../lib/cloud/openai/documents.js';
import { messagesFormat } from '../../../../lib/cloud/openai/messages/format.js';
import { readMessagesRequest } from '../../../../lib/cloud/openai/messages/read-request.js';
import { ApiError, anthropicEvent, anthropicMessage } from '../../../../lib/contract/index.js';
import type { Piece } from '../../../../lib/engine/index.js';
import { end, text } from '../../inference/scripted-backend.js';

const head: Head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'm', system_fingerprint: 'fp_1' };
const { chat } = readMessagesRequest({
  model: 'm',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'Hi' }],
});

async function* pieces(...list: Piece[]): AsyncGenerator<ChoicePiece> {
  for (const piece of list) yield { index: 0, piece };
}

/** The official types are the judge. */
async function collect(source: AsyncIterable<ChoicePiece>): Promise<Message> {
  const document = (await messagesFormat(chat, head).collect(source)) as Message;
  expect(anthropicMessage.parse(document)).toEqual(document);
  return document;
}

async function eventsOf(source: AsyncIterable<ChoicePiece>): Promise<RawMessageStreamEvent[]> {
  const events: RawMessageStreamEvent[] = [];
  for await (const { event, data } of messagesFormat(chat, head).events(source)) {
    const parsed = JSON.parse(data) as RawMessageStreamEvent;
    expect(parsed.type).toBe(event);
    expect(anthropicEvent.parse(parsed)).toEqual(parsed);
    events.push(parsed);
  }
  return events;
}

describe('a message', () => {
  it('has the text, why it ended, and the usage with what was kept apart', async () => {
    const last = { ...end(50, 3), usage: { promptTokens: 50, cachedTokens: 40, completionTokens: 3 } };
    expect(await collect(pieces(text('Hel'), text('lo'), last))).toMatchObject({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 10, cache_read_input_tokens: 40, output_tokens: 3 },
    });
    expect((await collect(pieces(text('H'), end(5, 1, 'length')))).stop_reason).toBe('max_tokens');
  });

  it('comes in events, in the order of the format', async () => {
    const events = await eventsOf(pieces(text('H'), text('i'), end(5, 2)));
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
    expect(events[0]).toMatchObject({ message: { content: [], stop_reason: null } });
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 5, output_tokens: 2 },
    });
  });

  it('that fails midway ends with an error, which tells nothing of ours', () => {
    const told = [new Error('/secret'), new ApiError('engine_unavailable', 'Try again.')].map(error => {
      const { event, data } = messagesFormat(chat, head).failure(error);
      return [event, JSON.parse(data)];
    });
    const failure = (type: string, message: string) => ['error', { type: 'error', error: { type, message } }];
    expect(told).toEqual([
      failure('api_error', 'Something went wrong on our side.'),
      failure('overloaded_error', 'Try again.'),
    ]);
  });
});
