import { expect, it } from 'vitest';
import { parseJinja } from '../../../../lib/engine/text/jinja/index.js';

const VARIABLES = {
  xs: [3, 1, 2],
  names: ['b', 'A', 'c'],
  d: { b: 1, a: [true, null, 1.5] },
  k: { items: 'I', get: 'G', x: 1, keys: 'K', update: 'U' },
  people: [
    { n: 'Ada', age: 36, x: { y: 1 } },
    { n: 'bob', age: 9 },
    { n: 'Cy', age: 36, x: null },
  ],
  s: 'Hello World',
  e: '😀a😀',
  w: '\x1c a b \x85\ufeff',
  n: null,
  t: true,
  big: 12345678901234567890n,
  f: 0.1,
  empty: '',
  nl: 'a\r\nb\u2028c\n',
  it: "it's a tést",
  none_in: ['a', null],
};

const render = (template: string) => parseJinja(template).render(VARIABLES);

/** Templates with what Python writes. */
export function writes(rows: readonly (readonly [template: string, wanted: string])[]): void {
  it.each(rows)('%s', (template, wanted) => expect(render(template)).toBe(wanted));
}

/** Templates that are an error in Python, with the reason that svc gives. */
export function rejects(rows: readonly (readonly [template: string, reason: string])[]): void {
  it.each(rows)('%s is an error', (template, reason) => expect(() => render(template)).toThrow(reason));
}
