// Numbers within limits: what is written always becomes one that fits, and each that fits can be written.
import { describe, expect, it } from 'vitest';
import { number } from '../../../lib/engine/structure/grammar/json-number.js';
import { toGrammar } from '../../../lib/engine/structure/grammar/json-schema.js';
import { createMachine, type State } from '../../../lib/engine/structure/grammar/machine.js';
import { createRandom } from '../../support/random.js';

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

const machineOf = (schema: object) => createMachine(toGrammar(schema as { [keyword: string]: unknown }));

function canBe(schema: object, text: string): boolean {
  const machine = machineOf(schema);
  const end = [...Buffer.from(text)].reduce((at, byte) => at && machine.step(at, byte), machine.start);
  return end?.isWhole ?? false;
}

describe('a number that a schema allows', () => {
  const [integer, any] = [{ type: 'integer' }, { type: 'number' }];
  it.each([
    [integer, '1764480000000000'],
    [integer, '-1234567890123456789'],
    [{ ...integer, multipleOf: 1 }, '1234567890123456789'],
    [{ ...integer, minimum: 1600000000000000 }, '1764480000000000'],
    [{ ...integer, minimum: 1e18, maximum: 2 ** 63 }, '9223372036854775807'],
    [{ ...integer, minimum: 1e25 }, '10000000000000000905969664'],
    [any, '0.12345678'],
    [any, '-0.30000000000000004'],
    [any, '1.5e-7'],
    [any, '6.02E+23'],
    [any, '-0.0000005'],
    [{ ...any, minimum: 0, maximum: 1 }, '0.8500000000000001'],
    [{ ...any, minimum: 1e-20, maximum: 2e-20 }, '0.00000000000000000001'],
    [{ ...any, exclusiveMinimum: 0, exclusiveMaximum: 1e-7 }, '0.00000005'],
  ])('is written whole, of %j: %s', (schema, text) => {
    expect(canBe(schema, text)).toBe(true);
  });

  it.each([
    [integer, '1e3'],
    [any, '1e'],
    [any, '1e400'],
    [any, '1'.repeat(21)],
    [any, `0.${'1'.repeat(18)}`],
    [{ ...any, minimum: 0 }, '1e3'],
    [{ ...any, exclusiveMinimum: 1 }, '1.00000000000000001'],
    [{ ...any, exclusiveMaximum: -1e15 }, '-1000000000000000.01'],
    [{ ...integer, maximum: 2 ** 63 }, '9223372036854776000'],
    [{ ...integer, multipleOf: 7 }, '1000000000000000006'],
  ])('ends, and is none that readers would take for another: of %j, not %s', (schema, text) => {
    expect(canBe(schema, text)).toBe(false);
  });

  const BOUNDS = [0, 1, -1, 0.1, 1e-7, 123456.789, 1e9, 1e15, -1e15, 2 ** 53, 5e20, -3e-30, 5e-300];
  it.each(BOUNDS)('is beyond %d where it must be, as readers see it', bound => {
    const { next } = createRandom(5);
    for (const [name, holds] of [
      ['exclusiveMinimum', (value: number) => value > bound],
      ['exclusiveMaximum', (value: number) => value < bound],
      ['minimum', (value: number) => value >= bound],
      ['maximum', (value: number) => value <= bound],
    ] as const)
      for (let round = 0; round < 20; round++) {
        const machine = machineOf({ ...any, [name]: bound });
        let [state, text]: [State, string] = [machine.start!, ''];
        while (!state.isWhole || next() < 0.95) {
          const following = [...'-.0123456789'].flatMap(letter => {
            const after = machine.step(state, letter.charCodeAt(0));
            return after ? [[after, letter] as const] : [];
          });
          if (following.length === 0) break;
          // Zeros and what is in the bound lead close to it.
          const near = following.filter(([, letter]) => letter === '0' || String(bound).includes(letter));
          const among = near.length > 0 && next() < 0.7 ? near : following;
          const [after, letter] = among[Math.floor(next() * among.length)]!;
          [state, text] = [after, text + letter];
        }
        expect(holds(JSON.parse(text)), `${name} ${bound}: ${text}`).toBe(true);
      }
  });
});
