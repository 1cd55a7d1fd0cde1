import { describe, expect, it } from 'vitest';
import { pickNext, pickToPreempt, pickToReject, turnLength } from '../../../lib/engine/generate/turns.js';

const from = (callers: string) => [...callers].map((caller, at) => ({ caller, at }));

describe('callers take turns', () => {
  it.each([
    ['aab', '', 0],
    ['aab', 'a', 2],
    ['aab', 'ab', 0],
    ['aac', 'abb', 2],
    ['b', 'bbbbbbb', 0],
  ])('with %s waiting and %s active, request %i is next', (waiting, active, next) => {
    expect(pickNext(from(waiting), from(active))?.at).toBe(next);
  });

  it('with nothing waiting, nothing is next', () => {
    expect(pickNext([], from('ab'))).toBeUndefined();
  });

  it.each([
    ['aaa', 'b', 2],
    ['aab', 'c', 1],
    ['abaca', 'b', 4],
    ['ab', 'c', undefined],
    ['aa', 'a', undefined],
    ['aab', 'b', undefined],
    ['', 'a', undefined],
  ])('in a full queue of %s, a request of %s replaces request %s', (waiting, newcomer, refused) => {
    expect(pickToReject(from(waiting), newcomer)?.at).toBe(refused);
  });
});

describe('a turn', () => {
  it('is longer for a longer sequence, which takes longer to recompute', () => {
    expect([10, 256, 8000].map(turnLength)).toEqual([64, 64, 2000]);
  });

  it('is over after enough tokens, first for the caller with the most active requests', () => {
    const at = (caller: string, length: number, turnTokens: number) => ({ caller, length, turnTokens });
    expect(pickToPreempt([at('a', 100, 63), at('b', 8000, 1999)])).toBeUndefined();
    const [long, short] = [at('a', 8000, 2000), at('a', 100, 64)];
    expect(pickToPreempt([short, long])).toBe(long);
    expect(pickToPreempt([at('b', 8000, 4000), short, at('a', 9, 9)])).toBe(short);
  });
});
