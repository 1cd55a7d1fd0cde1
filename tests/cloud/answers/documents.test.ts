import { describe, expect, it } from 'vitest';
import type { ChoicePiece } from '../../../lib/cloud/answers/choices.js';
import { collectCompletion, toChunks } from '../../../lib/cloud/answers/documents.js';
import { chatCompletion, chatCompletionChunk } from '../../../lib/contract/index.js';
import { end, text } from '../backends/scripted-backend.js';
import { head, pieces } from './sample-answer.js';

/** Token 1 is `Hi`, token 2 the first byte of `é`, token 3 the second. */
const bytesOf = (id: number) => Uint8Array.from([[], [0x48, 0x69], [0xc3], [0xa9]][id]!);
const scored = (id: number, logprob: number) => ({ id, logprob, bytes: bytesOf(id) });
const unrivalled = (id: number, logprob: number) => ({ ...scored(id, logprob), top: [] });
const hi = text('Hi', [{ ...scored(1, -0.5), top: [scored(1, -0.5), scored(2, Number.NEGATIVE_INFINITY)] }]);
const accent = text('é', [unrivalled(2, -1), unrivalled(3, -2)]);

async function completionOf(source: AsyncIterable<ChoicePiece>, logprobs = false) {
  const document = await collectCompletion(head, source, { logprobs });
  expect(chatCompletion.parse(document)).toEqual(document);
  return document;
}

async function chunksOf(source: AsyncIterable<ChoicePiece>, includeUsage = false) {
  const chunks = [];
  for await (const chunk of toChunks(head, source, { includeUsage })) {
    expect(chatCompletionChunk.parse(chunk)).toEqual(chunk);
    expect(chunk).toMatchObject({ ...head, object: 'chat.completion.chunk' });
    chunks.push(chunk);
  }
  return chunks;
}

const entry = (token: string, logprob: number, bytes: number[]) => ({ token, logprob, bytes });
const top_logprobs = [entry('Hi', -0.5, [0x48, 0x69]), entry('\ufffd', -9999, [0xc3])];
const entries = [
  { ...top_logprobs[0], top_logprobs },
  { ...entry('\ufffd', -1, [0xc3]), top_logprobs: [] },
  { ...entry('\ufffd', -2, [0xa9]), top_logprobs: [] },
];

describe('a completion', () => {
  it('has the text, the finish reason and the usage', async () => {
    const message = { role: 'assistant', content: 'Hello' };
    expect(await completionOf(pieces(text('Hel'), text('lo'), end(5, 3, 'length')))).toEqual({
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'length' }],
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    });
  });

  it('has its choices in order, and counts the prompt once', async () => {
    const source = pieces([1, text('b')], [0, text('a')], [1, end(5, 2)], [0, end(5, 4, 'length')]);
    expect(await completionOf(source)).toMatchObject({
      choices: [
        { index: 0, message: { content: 'a' }, finish_reason: 'length' },
        { index: 1, message: { content: 'b' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
    });
  });

  it('has log-probabilities with the bytes of each token', async () => {
    const document = await completionOf(pieces(hi, accent, end(5, 3)), true);
    expect(document.choices[0]!.logprobs).toEqual({ content: entries });
  });
});

describe('chunks', () => {
  it('are the role, then text, then an empty delta with the finish reason', async () => {
    const chunks = await chunksOf(pieces(text('a'), text(''), text('b'), end(5, 2)));
    const more = { index: 0, finish_reason: null, logprobs: null };
    expect(chunks.map(({ choices }) => choices)).toEqual([
      [{ ...more, delta: { role: 'assistant', content: '' } }],
      [{ ...more, delta: { content: 'a' } }],
      [{ ...more, delta: { content: 'b' } }],
      [{ ...more, delta: {}, finish_reason: 'stop' }],
    ]);
    expect(chunks.every(chunk => !('usage' in chunk))).toBe(true);
    const deltas = (await chunksOf(pieces(end(5, 1)))).map(({ choices }) => choices[0]!.delta);
    expect(deltas, 'an answer without text').toEqual([{ role: 'assistant', content: '' }, {}]);
  });

  it('end with the usage when requested, and have none before', async () => {
    const source = pieces([0, text('a')], [1, text('b')], [0, end(5, 2)], [1, end(5, 3)]);
    const chunks = await chunksOf(source, true);
    const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
    expect(chunks.at(-1)).toEqual({ ...head, object: 'chat.completion.chunk', choices: [], usage });
    expect(chunks.slice(0, -1).every(chunk => chunk.usage === null)).toBe(true);
    expect(chunks.map(({ choices }) => choices[0]?.index)).toEqual([0, 0, 1, 1, 0, 1, undefined]);
  });

  it('include the log-probabilities of their tokens, even of tokens without text', async () => {
    const chunks = await chunksOf(pieces(hi, accent, text('', [unrivalled(3, -2)]), end(5, 4)));
    expect(chunks.map(({ choices }) => choices[0]!.logprobs)).toEqual([
      null,
      { content: [entries[0]] },
      { content: [entries[1], entries[2]] },
      { content: [entries[2]] },
      null,
    ]);
  });
});
