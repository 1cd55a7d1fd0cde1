// Numbers within limits: what is written always becomes one that fits, and each that fits can be written.
import { describe, expect, it } from 'vitest';
import { number } from '../../../lib/engine/structure/grammar/number.js';

type Limits = Parameters<typeof number>[0];

const integers = (min: number, max: number, step = 1): Limits => ({
  decimals: 0,
  min: BigInt(min),
  max: BigInt(max),
  step: BigInt(step),
});

/** All texts that the limits allow, up to a length. */
function texts(limits: Limits, longest = 7): string[] {
  const found: string[] = [];
  const add = (matcher: ReturnType<typeof number>, text: string) => {
    if (!matcher) return;
    if (matcher.isWhole) found.push(text);
    if (text.length === longest) return;
    for (const next of '-.0123456789') add(matcher.step(next.charCodeAt(0)), text + next);
  };
  add(number(limits), '');
  return found;
}

describe('whole numbers', () => {
  it.each([
    [0, 12, 1],
    [-3, 3, 1],
    [95, 105, 1],
    [-120, -98, 7],
    [-1000, 1000, 250],
    [7, 7, 1],
  ])('from %i to %i in steps of %i are all that can be written', (min, max, step) => {
    const wanted = Array.from({ length: max - min + 1 }, (_, i) => min + i).filter(
      value => value % step === 0,
    );
    expect(
      texts(integers(min, max, step))
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(wanted.map(value => value + 0));
  });

  it('have no sign or leading zeros where none belong', () => {
    expect(texts(integers(-1, 1)).sort()).toEqual(['-1', '0', '1']);
  });

  it('that do not exist cannot be begun', () => {
    expect(number(integers(5, 4))).toBeNull();
    expect(number(integers(1, 6, 7))).toBeNull();
  });
});

describe('decimals', () => {
  it('between limits are all that can be written, in any of their forms', () => {
    const found = texts({ decimals: 2, min: -50n, max: 125n, step: 25n });
    expect([...new Set(found.map(Number))].sort((a, b) => a - b)).toEqual([
      -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25,
    ]);
    expect(found).toContain('0.50');
    expect(found).not.toContain('-0');
    expect(found.every(text => JSON.parse(text) === Number(text))).toBe(true);
  });
});

it('every prefix that is allowed leads to a number that fits', () => {
  const limits = { decimals: 1, min: -37n, max: 1204n, step: 3n };
  const leads = (matcher: NonNullable<ReturnType<typeof number>>, depth: number): boolean =>
    matcher.isWhole ||
    (depth > 0 &&
      [...'-.0123456789'].some(next => {
        const after = matcher.step(next.charCodeAt(0));
        return after !== null && leads(after, depth - 1);
      }));
  const visit = (matcher: NonNullable<ReturnType<typeof number>>, depth: number): void => {
    expect(leads(matcher, 7)).toBe(true);
    if (depth === 0) return;
    for (const next of '-.0123456789') {
      const after = matcher.step(next.charCodeAt(0));
      if (after) visit(after, depth - 1);
    }
  };
  visit(number(limits)!, 4);
});
