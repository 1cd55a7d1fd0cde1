import { describe, expect, it } from 'vitest';
import { pickNext, pickToRefuse, pickToSetAside, turnOf } from '../../../lib/engine/generate/turns.js';

const from = (callers: string) => [...callers].map((caller, at) => ({ caller, at }));

describe('callers take turns', () => {
  it.each([
    ['aab', '', 0],
    ['aab', 'a', 2],
    ['aab', 'ab', 0],
    ['aac', 'abb', 2],
    ['b', 'bbbbbbb', 0],
  ])('of %s waiting and %s at work, number %i is next', (waiting, atWork, next) => {
    expect(pickNext(from(waiting), from(atWork))?.at).toBe(next);
  });

  it('and nobody is next when nobody waits', () => {
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
  ])('from a full queue of %s, one who comes as %s turns out number %s', (waiting, newcomer, refused) => {
    expect(pickToRefuse(from(waiting), newcomer)?.at).toBe(refused);
  });
});

describe('a turn', () => {
  it('is longer for a longer text, which takes longer to compute again', () => {
    expect([10, 256, 8000].map(turnOf)).toEqual([64, 64, 2000]);
  });

  it('is over for who was given enough, first for the caller with the most at work', () => {
    const at = (caller: string, length: number, given: number) => ({ caller, length, given });
    expect(pickToSetAside([at('a', 100, 63), at('b', 8000, 1999)])).toBeUndefined();
    const [long, short] = [at('a', 8000, 2000), at('a', 100, 64)];
    expect(pickToSetAside([short, long])).toBe(long);
    expect(pickToSetAside([at('b', 8000, 4000), short, at('a', 9, 9)])).toBe(short);
  });
});
