import { describe, expect, it } from 'vitest';
import type { ChoicePiece } from '../../../lib/cloud/openai/choices.js';
import { collectCompletion, type Head, toChunks } from '../../../lib/cloud/openai/documents.js';
import { chatCompletion, chatCompletionChunk } from '../../../lib/contract/index.js';
import type { Piece } from '../../../lib/engine/index.js';
import { end, text } from '../inference/scripted-backend.js';

const head: Head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'm', system_fingerprint: 'fp_1' };

/** Token 1 is `Hi`, token 2 the first byte of `é`, token 3 the second. */
const bytesOf = (id: number) => Uint8Array.from([[], [0x48, 0x69], [0xc3], [0xa9]][id]!);
const scored = (id: number, logprob: number) => ({ id, logprob, bytes: bytesOf(id) });
const hi = text('Hi', [{ ...scored(1, -0.5), top: [scored(1, -0.5), scored(2, Number.NEGATIVE_INFINITY)] }]);
const accent = text('é', [
  { ...scored(2, -1), top: [] },
  { ...scored(3, -2), top: [] },
]);

async function* pieces(...list: [index: number, piece: Piece][]): AsyncGenerator<ChoicePiece> {
  for (const [index, piece] of list) yield { index, piece };
}

async function chunksOf(
  source: AsyncIterable<ChoicePiece>,
  { includeUsage = false }: { includeUsage?: boolean } = {},
) {
  const chunks = [];
  for await (const chunk of toChunks(head, source, { includeUsage })) {
    expect(chatCompletionChunk.parse(chunk)).toEqual(chunk);
    expect(chunk).toMatchObject({ ...head, object: 'chat.completion.chunk' });
    chunks.push(chunk);
  }
  return chunks;
}

const entries = [
  {
    token: 'Hi',
    logprob: -0.5,
    bytes: [0x48, 0x69],
    top_logprobs: [
      { token: 'Hi', logprob: -0.5, bytes: [0x48, 0x69] },
      { token: '\ufffd', logprob: -9999, bytes: [0xc3] },
    ],
  },
  { token: '\ufffd', logprob: -1, bytes: [0xc3], top_logprobs: [] },
  { token: '\ufffd', logprob: -2, bytes: [0xa9], top_logprobs: [] },
];

describe('a completion', () => {
  it('has the text, the finish reason and the usage', async () => {
    const source = pieces([0, text('Hel')], [0, text('lo')], [0, end(5, 3, 'length')]);
    const document = await collectCompletion(head, source, { logprobs: false });
    expect(document).toEqual({
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello' },
          logprobs: null,
          finish_reason: 'length',
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    });
    expect(chatCompletion.parse(document)).toEqual(document);
  });

  it('has its choices in order, and counts the prompt once', async () => {
    const source = pieces([1, text('b')], [0, text('a')], [1, end(5, 2)], [0, end(5, 4, 'length')]);
    const { choices, usage } = await collectCompletion(head, source, { logprobs: false });
    expect(
      choices.map(({ index, message, finish_reason }) => [index, message.content, finish_reason]),
    ).toEqual([
      [0, 'a', 'length'],
      [1, 'b', 'stop'],
    ]);
    expect(usage).toEqual({ prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 });
  });

  it('has log-probabilities with the bytes of each token', async () => {
    const document = await collectCompletion(head, pieces([0, hi], [0, accent], [0, end(5, 3)]), {
      logprobs: true,
    });
    expect(document.choices[0]!.logprobs).toEqual({ content: entries });
    expect(chatCompletion.parse(document)).toEqual(document);
  });
});

describe('chunks', () => {
  it('are the role, then text, then an empty delta with the finish reason', async () => {
    const chunks = await chunksOf(pieces([0, text('a')], [0, text('')], [0, text('b')], [0, end(5, 2)]));
    expect(chunks.map(({ choices }) => choices)).toEqual([
      [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null, logprobs: null }],
      [{ index: 0, delta: { content: 'a' }, finish_reason: null, logprobs: null }],
      [{ index: 0, delta: { content: 'b' }, finish_reason: null, logprobs: null }],
      [{ index: 0, delta: {}, finish_reason: 'stop', logprobs: null }],
    ]);
    expect(chunks.every(chunk => !('usage' in chunk))).toBe(true);
  });

  it('start with the role even if there is no text', async () => {
    const chunks = await chunksOf(pieces([0, end(5, 1)]));
    expect(chunks.map(({ choices }) => choices[0]!.delta)).toEqual([{ role: 'assistant', content: '' }, {}]);
  });

  it('end with the usage when requested, and have none before', async () => {
    const source = pieces([0, text('a')], [1, text('b')], [0, end(5, 2)], [1, end(5, 3)]);
    const chunks = await chunksOf(source, { includeUsage: true });
    expect(chunks.at(-1)).toEqual({
      ...head,
      object: 'chat.completion.chunk',
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
    });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(chunks.map(({ choices }) => choices[0]?.index)).toEqual([0, 0, 1, 1, 0, 1, undefined]);
  });

  it('include the log-probabilities of their tokens, even of tokens without text', async () => {
    const silent = text('', [{ ...scored(3, -2), top: [] }]);
    const source = pieces([0, hi], [0, accent], [0, silent], [0, end(5, 4)]);
    const chunks = await chunksOf(source);
    expect(chunks.map(({ choices }) => choices[0]!.logprobs)).toEqual([
      null,
      { content: [entries[0]] },
      { content: [entries[1], entries[2]] },
      { content: [entries[2]] },
      null,
    ]);
  });
});
