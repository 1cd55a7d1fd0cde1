// Requests that would keep a schema busy for long: they are refused before any entry of theirs is looked at.
import { describe, expect, it } from 'vitest';
import { MOST_TURNS } from '../../lib/contract/bounded.js';
import { inferenceRequest, jobInput, parseChatRequest, parseRequest } from '../../lib/contract/index.js';

const turns = (count: number, entry: unknown = { role: 'user', content: 'a' }) =>
  Array.from({ length: count }, () => entry);
const calls = { role: 'assistant', tool_calls: turns(MOST_TURNS, 'no call') };
const parts = { role: 'user', content: turns(MOST_TURNS, 'no part') };

/** Whatever is wrong with an entry would be told of it if it were looked at. */
const tooLong: [string, unknown[]][] = [
  ['messages', turns(MOST_TURNS + 1, 'no message')],
  ['parts', [parts]],
  ['tool calls', [calls]],
];

describe('a conversation', () => {
  it.each(tooLong)('of too many %s is too long for any context, however it was sent', (_, messages) => {
    const expected = expect.objectContaining({
      code: 'context_length_exceeded',
      status: 400,
      param: 'messages',
    });
    expect(() => parseChatRequest({ messages }, new Set())).toThrow(expected);
    expect(() => parseRequest(inferenceRequest, { messages, baseModel: 'm' })).toThrow(expected);
  });

  it('may have as many messages as that', () => {
    expect(parseChatRequest({ messages: turns(MOST_TURNS) }, new Set()).messages).toHaveLength(MOST_TURNS);
  });
});

describe('a list', () => {
  it.each([
    [
      'stop',
      () => parseRequest(inferenceRequest, { messages: turns(1), baseModel: 'm', stop: turns(150_000, 1) }),
    ],
    ['tools', () => parseChatRequest({ messages: turns(1), tools: turns(150_000, 1) }, new Set(['tools']))],
    [
      'config.targetModules',
      () =>
        parseRequest(jobInput, {
          name: 'n',
          config: {
            model: 'm',
            datasetSource: { type: 'upload', datasetId: 'd' },
            targetModules: turns(150_000, 1),
          },
        }),
    ],
  ])('of far too many entries is refused in one sentence: %s', (param, read) => {
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_value', param }));
  });
});
