import { describe, expect, it } from 'vitest';
import type { GenerateRequest, TextDecoding } from '../../../lib/engine/generate/index.js';
import { createPieceBuilder } from '../../../lib/engine/generate/piece-builder.js';

/** The bytes of each token, some of which are parts of characters. 9 is a special token. */
const bytes: Record<number, number[]> = { 1: [0x61], 2: [0xe2, 0x82], 3: [0xac], 4: [0x62, 0x63], 9: [] };
const decoding: TextDecoding = {
  eosIds: [],
  createStreamDecoder({ skipSpecialTokens }) {
    expect(skipSpecialTokens).toBe(true);
    const utf8 = new TextDecoder();
    return {
      push: id => utf8.decode(Uint8Array.from(bytes[id]!), { stream: true }),
      flush: () => utf8.decode(),
    };
  },
  vocabSize: 0,
  isSpecial: () => false,
  bytesOf: id => Uint8Array.from(bytes[id]!),
};

function build(ids: number[], request: Pick<GenerateRequest, 'stop' | 'logprobs'> = {}) {
  const builder = createPieceBuilder(decoding, request);
  const logprobOf = (id: number) => ({ id, logprob: -id, top: [{ id: 2, logprob: -7 }] });
  const built = ids.map(id => builder.push({ id, logprob: logprobOf(id) }));
  return { steps: [...built, builder.finish()] };
}

const piecesOf = ({ steps }: ReturnType<typeof build>) =>
  steps.map(({ piece }) => piece && [piece.text, piece.tokenIds]);

describe('pieces', () => {
  it('have whole characters and all their tokens', () => {
    expect(piecesOf(build([1, 2, 3, 4]))).toEqual([['a', [1]], null, ['€', [2, 3]], ['bc', [4]], null]);
  });

  it('end with a replacement for bytes that never became a character', () => {
    expect(piecesOf(build([1, 2]))).toEqual([['a', [1]], null, ['\ufffd', [2]]]);
  });

  it('hold tokens back with their text, and contain the tokens whose text starts in them', () => {
    expect(piecesOf(build([1, 4, 3, 1], { stop: ['ca!'] }))[1]).toEqual(['b', [4]]);
    expect(piecesOf(build([1, 1, 4, 1], { stop: ['aabd'] }))).toEqual([
      null,
      null,
      ['aabc', [1, 1, 4]],
      null,
      ['a', [1]],
    ]);
  });

  it('do not contain tokens whose text is still held back', () => {
    const given = piecesOf(build([1, 1, 1, 1], { stop: ['aab'] }));
    expect(given).toEqual([null, null, ['a', [1]], ['a', [1]], ['aa', [1, 1]]]);
    expect(piecesOf(build([1, 1, 4], { stop: ['abc'] })).slice(0, 3)).toEqual([null, ['a', [1]], null]);
  });

  it('contain neither the stop sequence, nor its tokens, nor anything after it', () => {
    const { steps } = build([1, 4, 1, 2], { stop: ['ca'] });
    expect(steps.map(({ stopped }) => stopped).slice(0, 3)).toEqual([false, false, true]);
    const builder = createPieceBuilder(decoding, { stop: ['bc'] });
    expect(builder.push({ id: 1 }).piece).toEqual({ text: 'a', tokenIds: [1] });
    expect(builder.push({ id: 4 })).toEqual({ piece: null, stopped: true });
    expect(builder.finish()).toEqual({ piece: null, stopped: true });
  });

  it('contain trailing tokens without text', () => {
    expect(piecesOf(build([1, 9]))).toEqual([['a', [1]], null, ['', [9]]]);
    expect(piecesOf(build([1, 9, 4]))).toEqual([['a', [1]], null, ['bc', [9, 4]], null]);
  });

  it('contain the log probabilities of their tokens if requested', () => {
    const { steps } = build([1, 2, 3], { logprobs: 0 });
    const top = [{ id: 2, logprob: -7, bytes: Uint8Array.of(0xe2, 0x82) }];
    expect(steps[2]!.piece!.logprobs).toEqual([
      { id: 2, logprob: -2, bytes: Uint8Array.of(0xe2, 0x82), top },
      { id: 3, logprob: -3, bytes: Uint8Array.of(0xac), top },
    ]);
    expect(build([1]).steps[0]!.piece).not.toHaveProperty('logprobs');
  });
});
