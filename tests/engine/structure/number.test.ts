// Numbers within limits: what is written always becomes one that fits, and each that fits can be written.
import { describe, expect, it } from 'vitest';
import { number } from '../../../lib/engine/structure/grammar/json-number.js';

type Limits = Parameters<typeof number>[0];

type Matcher = NonNullable<ReturnType<typeof number>>;

function integers(from: number, to: number, by = 1): Limits {
  const [min, max, step] = [BigInt(from), BigInt(to), BigInt(by)];
  return { decimals: 0, min, max, step };
}

/** Each character that may come next, with what may follow it. */
function after(matcher: Matcher): [string, Matcher][] {
  const next = [...'-.0123456789'].map(text => [text, matcher.step(text.charCodeAt(0))] as const);
  return next.flatMap(([text, following]) => (following ? [[text, following]] : []));
}

/** All texts that the limits allow, up to a length. */
function texts(limits: Limits, longest = 7): string[] {
  const found: string[] = [];
  const add = (matcher: Matcher, text: string) => {
    if (matcher.isWhole) found.push(text);
    if (text.length === longest) return;
    for (const [next, following] of after(matcher)) add(following, text + next);
  };
  add(number(limits)!, '');
  return found;
}

const valuesOf = (written: string[]) => [...new Set(written.map(Number))].sort((a, b) => a - b);

describe('whole numbers', () => {
  it.each([
    [0, 12, 1],
    [-3, 3, 1],
    [95, 105, 1],
    [-120, -98, 7],
    [-1000, 1000, 250],
    [7, 7, 1],
  ])('from %i to %i in steps of %i are all that can be written', (min, max, step) => {
    const all = Array.from({ length: max - min + 1 }, (_, i) => min + i);
    const found = texts(integers(min, max, step));
    expect(valuesOf(found)).toEqual(all.filter(value => value % step === 0).map(value => value + 0));
    expect(new Set(found.map(Number)).size).toBe(found.length);
  });

  it('have no sign or leading zeros where none belong', () => {
    expect(texts(integers(-1, 1)).sort()).toEqual(['-1', '0', '1']);
  });

  it('that do not exist cannot be begun', () => {
    expect(number(integers(5, 4))).toBeNull();
    expect(number(integers(1, 6, 7))).toBeNull();
  });
});

it('decimals between limits are all that can be written, in any of their forms', () => {
  const found = texts({ decimals: 2, min: -50n, max: 125n, step: 25n });
  expect(valuesOf(found)).toEqual([-0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25]);
  expect(found).toContain('0.50');
  expect(found).not.toContain('-0');
  expect(found.every(text => JSON.parse(text) === Number(text))).toBe(true);
});

it('every prefix that is allowed leads to a number that fits', () => {
  const limits = { decimals: 1, min: -37n, max: 1204n, step: 3n };
  const leads = (matcher: Matcher, depth: number): boolean =>
    matcher.isWhole || (depth > 0 && after(matcher).some(([, following]) => leads(following, depth - 1)));
  const visit = (matcher: Matcher, depth: number): void => {
    expect(leads(matcher, 7)).toBe(true);
    if (depth > 0) for (const [, following] of after(matcher)) visit(following, depth - 1);
  };
  visit(number(limits)!, 4);
});
