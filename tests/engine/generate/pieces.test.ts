import { describe, expect, it, vi } from 'vitest';
import { AnswerStream } from '../../../lib/engine/generate/answer-stream.js';
import { createCallWriter } from '../../../lib/engine/generate/call-writer.js';
import type { GenerateRequest } from '../../../lib/engine/generate/index.js';
import { createPieceBuilder, createStopScanner } from '../../../lib/engine/generate/piece-builder.js';
import type { TextDecoding } from '../../../lib/engine/generate/request.js';
import { ENDED } from '../../../lib/engine/structure/phase.js';

/** Scans a text cut like this: all text that comes out, and whether a stop sequence was found. */
function scan(stops: string[], pieces: string[]): { text: string; stopped: boolean; steps: string[] } {
  const scanner = createStopScanner(stops);
  const steps: string[] = [];
  for (const piece of pieces) {
    const { text, stopped } = scanner.push(piece);
    steps.push(text);
    if (stopped) return { text: steps.join(''), stopped, steps };
  }
  steps.push(scanner.flush());
  return { text: steps.join(''), stopped: false, steps };
}

describe('stop sequences', () => {
  it('are found wherever the text is cut', () => {
    const text = 'one two\n\nUser: three';
    for (let a = 0; a <= text.length; a++) {
      for (let b = a; b <= text.length; b++) {
        const pieces = [text.slice(0, a), text.slice(a, b), text.slice(b)];
        expect(scan(['\nUser:', '###'], pieces)).toMatchObject({ text: 'one two\n', stopped: true });
      }
    }
  });

  it('are held back only while they may still be completed', () => {
    expect(scan(['<end>'], ['a<', 'en', 'x', '<e', 'nd', '>b']).steps).toEqual(['a', '', '<enx', '', '', '']);
    expect(scan(['aab'], ['a', 'a', 'a', 'b']).steps).toEqual(['', '', 'a', '']);
    expect(scan(['<end>'], ['a <en'])).toMatchObject({ text: 'a <en', stopped: false });
  });

  it('stop at the one that is complete first, however the text is cut', () => {
    for (const pieces of [['xabc'], [...'xabc']]) {
      expect(scan(['abc', 'b'], pieces)).toMatchObject({ text: 'xa', stopped: true });
      expect(scan(['bc', 'abc'], pieces)).toMatchObject({ text: 'x', stopped: true });
    }
  });

  it('never stop the text if there are none, or if they are empty', () => {
    for (const stops of [[], ['']]) expect(scan(stops, ['ab', 'c']).steps).toEqual(['ab', 'c', '']);
  });
});

/** The bytes of each token, some of which are parts of characters. 9 is a special token. */
const bytes: Record<number, number[]> = { 1: [0x61], 2: [0xe2, 0x82], 3: [0xac], 4: [0x62, 0x63], 9: [] };
const decoding: TextDecoding = {
  endIds: [],
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
  it('have whole characters and all their tokens, or end with a replacement', () => {
    expect(piecesOf(build([1, 2, 3, 4]))).toEqual([['a', [1]], null, ['€', [2, 3]], ['bc', [4]], null]);
    expect(piecesOf(build([1, 2]))).toEqual([['a', [1]], null, ['\ufffd', [2]]]);
  });

  it('hold tokens back with their text, and contain the tokens whose text starts in them', () => {
    expect(piecesOf(build([1, 4, 3, 1], { stop: ['ca!'] }))[1]).toEqual(['b', [4]]);
    const given = piecesOf(build([1, 1, 4, 1], { stop: ['aabd'] }));
    expect(given).toEqual([null, null, ['aabc', [1, 1, 4]], null, ['a', [1]]]);
    const later = piecesOf(build([1, 1, 1, 1], { stop: ['aab'] }));
    expect(later).toEqual([null, null, ['a', [1]], ['a', [1]], ['aa', [1, 1]]]);
    expect(piecesOf(build([1, 1, 4], { stop: ['abc'] })).slice(0, 3)).toEqual([null, ['a', [1]], null]);
  });

  it('contain neither the stop sequence, nor its tokens, nor anything after it', () => {
    const { steps } = build([1, 4, 1, 2], { stop: ['ca'] });
    expect(steps.map(({ stopped }) => stopped).slice(0, 3)).toEqual([false, false, true]);
    const builder = createPieceBuilder(decoding, { stop: ['bc'] });
    expect(builder.push({ id: 1 }).piece).toEqual({ text: 'a', tokenIds: [1] });
    expect(builder.push({ id: 4 })).toEqual({ piece: null, stopped: true });
    expect(builder.finish()).toEqual({ piece: null, stopped: true, stop: 'bc' });
  });

  it('contain nothing of the start of a call, which does not stop the answer', () => {
    const builder = createPieceBuilder(decoding, { stop: ['x'] }, ['q', 'b']);
    builder.push({ id: 1 });
    expect(builder.push({ id: 4 })).toEqual({ piece: null, stopped: false, begun: 'bc' });
    expect(builder.finish()).toEqual({ piece: null, stopped: false });
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

async function collect(stream: AnswerStream<number>): Promise<number[]> {
  const all: number[] = [];
  for await (const value of stream) all.push(value);
  return all;
}

describe('a stream of pieces', () => {
  it('yields pieces pushed before and while it is read, then ends', async () => {
    const stream = new AnswerStream<number>(() => {});
    stream.push(1);
    const reading = collect(stream);
    await null;
    stream.push(2);
    stream.push(3);
    stream.end();
    stream.push(4);
    expect(await reading).toEqual([1, 2, 3]);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  it('yields the pieces pushed before an error, then throws it once', async () => {
    const stream = new AnswerStream<number>(() => {});
    stream.push(1);
    stream.end({ error: new Error('lost') });
    stream.end();
    expect(await stream.next()).toEqual({ value: 1, done: false });
    await expect(stream.next()).rejects.toThrow('lost');
    expect((await stream.next()).done).toBe(true);
  });

  it('reports a reader that stops before the end, but not after', async () => {
    const left = vi.fn();
    const stream = new AnswerStream<number>(left);
    stream.push(1);
    stream.push(2);
    for await (const _ of stream) break;
    expect(left).toHaveBeenCalledOnce();
    expect((await stream.next()).done).toBe(true);
    const finished = new AnswerStream<number>(left);
    finished.end();
    await finished.return();
    expect(left).toHaveBeenCalledOnce();
  });

  it('answers pending reads in order, also when its reader stops', async () => {
    const stream = new AnswerStream<number>(() => {});
    const asked = [stream.next(), stream.next(), stream.next()];
    stream.push(1);
    stream.push(2);
    await Promise.all(asked.slice(0, 2));
    await stream.return();
    expect((await Promise.all(asked)).map(({ value }) => value)).toEqual([1, 2, undefined]);
  });
});

describe('calls', () => {
  const calling = (...calls: [name: string, given: string][]) => {
    const writer = createCallWriter();
    const written: (string | null)[][] = calls.map(([name, given], index) => {
      const taken = { next: ENDED, writes: 'arguments' as const, call: { index, name } };
      const steps = Array.from(given, letter => writer.push(Buffer.from(letter), taken));
      const last = writer.push(Buffer.from('}'), { next: ENDED, writes: 'nothing' });
      return [...steps, last].map(piece => piece?.arguments ?? null);
    });
    return { written, count: writer.count, isRepeating: writer.isRepeating };
  };

  it('are held back only while they may repeat an earlier one', () => {
    const { written, count, isRepeating } = calling(['f', '{"a": 1}'], ['f', '{"a":12}'], ['g', '{}']);
    expect(written[0]!.slice(0, 2)).toEqual(['{', '"']);
    expect(written[1]).toEqual([null, null, null, null, null, null, '{"a":12', '}', null]);
    expect(written[2]).toEqual(['{', '}', null]);
    expect({ count, isRepeating }).toEqual({ count: 3, isRepeating: false });
  });

  it.each([
    ['{"a": " 1"}', '{"a": " 1"}', true],
    ['{"a": " 1"}', '{ "a":" 1"\n}', true],
    ['{"a": "1"}', '{"a": "1 "}', false],
    ['{"a": "\\""}', '{"a": "\\" "}', false],
  ])('repeat one if only white space around values differs: %s, %s', (first, second, repeats) => {
    const { count, isRepeating } = calling(['f', first], ['f', second]);
    expect({ count, isRepeating }).toEqual({ count: repeats ? 1 : 2, isRepeating: repeats });
  });

  it('have whole characters', () => {
    const writer = createCallWriter();
    const taken = { next: ENDED, writes: 'arguments' as const, call: { index: 0, name: 'f' } };
    const [first, ...others] = Buffer.from('é');
    expect(writer.push(Uint8Array.of(first!), taken)).toBeNull();
    expect(writer.push(Uint8Array.from(others), taken)?.arguments).toBe('é');
  });
});
