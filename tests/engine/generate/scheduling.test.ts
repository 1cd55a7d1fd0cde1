import { beforeEach, describe, expect, it } from 'vitest';
import { chunkEnd, inWholeChunks } from '../../../lib/engine/generate/prefix-cache.js';
import { createRunLimits, type RunLimits } from '../../../lib/engine/generate/step.js';
import {
  createWaitingRoom,
  pickNext,
  pickToPreempt,
  pickToReject,
  turnLength,
} from '../../../lib/engine/generate/turns.js';

/** A capital is a request of low priority. */
const from = (callers: string) =>
  [...callers].map((letter, at) => {
    const caller = letter.toLowerCase();
    return { caller, at, isLowPriority: letter !== caller };
  });

describe('callers take turns', () => {
  it.each([
    ['aab', '', 0],
    ['aab', 'a', 2],
    ['aab', 'ab', 0],
    ['aac', 'abb', 2],
    ['b', 'bbbbbbb', 0],
    ['Ab', 'bb', 1],
    ['AB', 'a', 0],
    ['AB', 'aA', 1],
    ['', 'ab', undefined],
  ])('with %s waiting and %s active, request %s is next', (waiting, active, next) => {
    expect(pickNext(from(waiting), from(active))?.at).toBe(next);
  });

  it.each([
    ['aaa', 'b', 2],
    ['aab', 'c', 1],
    ['abaca', 'b', 4],
    ['ab', 'c', undefined],
    ['aa', 'a', undefined],
    ['aab', 'b', undefined],
    ['', 'a', undefined],
    ['AaBB', 'a', undefined],
    ['AAabb', 'c', 4],
    ['aaa', 'B', undefined],
    ['aAAA', 'B', 3],
    ['aAB', 'B', undefined],
  ])('in a full queue of %s, a request of %s replaces request %s', (waiting, newcomer, refused) => {
    expect(pickToReject(from(waiting), from(newcomer)[0]!)?.at).toBe(refused);
  });
});

describe('a waiting room', () => {
  it('has places for others, however many requests of low priority run and wait', () => {
    const none = { fail: () => {} };
    const low = { caller: 'a', isLowPriority: true, ...none };
    const room = createWaitingRoom(2, { queue: { running: [low, low], waiting: [low], notStarted: [] } });
    expect(() => room.reserve(low)).toThrow('2 requests running, 1 waiting');
    room.reserve({ caller: 'b', ...none });
    room.reserve({ caller: 'b', ...none });
    expect(() => room.reserve({ caller: 'b', ...none })).toThrow('0 requests running, 2 waiting');
  });
});

describe('a turn', () => {
  it('is longer for a longer sequence, which takes longer to recompute', () => {
    expect([10, 256, 8000].map(turnLength)).toEqual([64, 64, 2000]);
  });

  it('is over after enough tokens, first for the caller with the most active requests', () => {
    const at = (caller: string, length: number, turnTokens: number) => ({ caller, length, turnTokens });
    const waiting = from('c');
    expect(pickToPreempt([at('a', 100, 63), at('b', 8000, 1999)], waiting)).toBeUndefined();
    const [long, short] = [at('a', 8000, 2000), at('a', 100, 64)];
    expect(pickToPreempt([short, long], waiting)).toBe(long);
    expect(pickToPreempt([at('b', 8000, 4000), short, at('a', 9, 9)], waiting)).toBe(short);
  });

  it('of low priority is over at once for any other request, the shortest first, and replaces no other', () => {
    const at = (length: number, turnTokens: number, isLowPriority: boolean) => {
      return { caller: 'a', length, turnTokens, isLowPriority };
    };
    const [long, short, other] = [at(900, 300, true), at(100, 1, true), at(100, 100, false)];
    expect(pickToPreempt([long, other, short], from('Bc'))).toBe(short);
    expect(pickToPreempt([long, other, short], from('B'))).toBe(long);
    expect(pickToPreempt([other, short], from('B'))).toBeUndefined();
  });
});

const CHUNK = 64;

/** Where the chunks of a prompt start, if this much of it is kept. */
function starts(heads: number, length: number, kept = 0): number[] {
  const all: number[] = [];
  for (let at = kept; at < length; at = chunkEnd({ heads }, CHUNK, at)) all.push(at);
  return all;
}

describe('the chunks of a prompt', () => {
  it('are of the same length, except for the last one, and only whole ones can be kept', () => {
    expect(starts(9, 200)).toEqual([0, 64, 128, 192]);
    expect([0, 63, 64, 127, 128].map(tokens => inWholeChunks(tokens, CHUNK))).toEqual([0, 0, 64, 64, 128]);
  });

  it('are the same for a longer prompt, and whatever is kept of it', () => {
    for (const heads of [9, 32, 128]) {
      const all = starts(heads, 20_000);
      expect(starts(heads, 15_000)).toEqual(all.filter(at => at < 15_000));
      for (const kept of [64, 6400, 12_800])
        expect(starts(heads, 20_000, kept)).toEqual(all.filter(at => at >= kept));
    }
  });

  it('are shorter where each head scores them with many tokens before', () => {
    const lengthAt = (heads: number, start: number) => chunkEnd({ heads }, CHUNK, start) - start;
    expect(lengthAt(32, 8064)).toBe(64);
    expect(lengthAt(32, 12_800)).toBeLessThan(64);
    expect(lengthAt(32, 128_000)).toBe(16);
  });
});

const MB = 1_000_000;

let clock: number;
let allowed: number[];
let open: number;
beforeEach(() => {
  clock = 0;
  allowed = [];
  open = 0;
});

function limitsOf(weightBytes: number): RunLimits {
  const beginWork = (ms: number) => {
    allowed.push(ms);
    open++;
    return () => void open--;
  };
  return createRunLimits({ weightBytes, beginWork, now: () => clock });
}

const taking = (ms: number) => async () => {
  expect(open).toBe(1);
  clock += ms;
};

describe('a run of the model', () => {
  it.each([
    ['always take 20 s', 4, 50, [20_000, 20_000, 20_000, 20_000]],
    ['first take as long as reading its weights', 28_000, 3000, [1_400_000, 1_400_000, 1_400_000, 30_000]],
  ])('may %s', async (_, megabytes, ms, expected) => {
    const limits = limitsOf(megabytes * MB);
    for (const tokens of ['open', 256, 1, 1] as const) await limits.run(tokens, taking(ms));
    expect([allowed, open]).toEqual([expected, 0]);
  });

  it('may take ten times as long as the longest run of its size so far', async () => {
    const limits = limitsOf(4 * MB);
    for (const ms of [4000, 9000, 3000, 1000]) await limits.run(256, taking(ms));
    expect(allowed).toEqual([20_000, 40_000, 90_000, 90_000]);
    await limits.run(200, taking(1));
    await limits.run(1, taking(1));
    expect(allowed.slice(4)).toEqual([90_000, 20_000]);
  });

  it('does not count for the limit if it fails', async () => {
    const limits = limitsOf(4 * MB);
    const failing = limits.run(8, async () => {
      clock += 100_000;
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    await limits.run(8, taking(1));
    expect([allowed, open]).toEqual([[20_000, 20_000], 0]);
  });
});
