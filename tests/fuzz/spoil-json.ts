// One thing wrong with a JSON body: in its values, or in its bytes.
import type { Draw } from './draw.js';

const ODD_VALUES: readonly unknown[] = [
  null,
  -1,
  1e308,
  -0.5,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  '{{7*7}}',
  "'; DROP TABLE jobs; --",
  'x'.repeat(10_000),
  true,
  [],
  {},
  [[[[[]]]]],
  { __proto__: null, constructor: 1 },
];

/** The value with one of its parts replaced, left out, or joined by another. */
export function spoilValue(value: unknown, draw: Draw): unknown {
  if (Array.isArray(value) && value.length > 0 && draw.chance(0.7)) {
    const at = draw.below(value.length);
    return value.map((part, i) => (i === at ? spoilValue(part, draw) : part));
  }
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0 && draw.chance(0.8)) {
    const entries = Object.entries(value);
    const at = draw.below(entries.length);
    const kind = draw.below(4);
    if (kind === 0) return Object.fromEntries(entries.filter((_, i) => i !== at));
    if (kind === 1)
      return {
        ...value,
        [draw.pick(['stranger', '__proto__', 'constructor', '', 'a.b'])]: draw.pick(ODD_VALUES),
      };
    return Object.fromEntries(
      entries.map(([name, part], i) => [name, i === at ? spoilValue(part, draw) : part]),
    );
  }
  return draw.pick(ODD_VALUES);
}

const SPOILERS: readonly ((bytes: Buffer, draw: Draw) => Buffer)[] = [
  (bytes, draw) => bytes.subarray(0, draw.below(bytes.length + 1)),
  bytes => Buffer.concat([bytes, Buffer.from('}')]),
  bytes => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  bytes => Buffer.concat([bytes.subarray(0, 1), Buffer.from([0xff, 0xfe]), bytes.subarray(1)]),
  () => Buffer.alloc(0),
  () => Buffer.from('   '),
  () => Buffer.from('null'),
  () => Buffer.from(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  () => Buffer.from(`{${Array.from({ length: 20_000 }, (_, i) => `"field${i}":${i}`).join(',')}}`),
  () => Buffer.from(`{"messages":[${Array(20_000).fill('{"role":"user","content":"a"}').join(',')}]}`),
  bytes => Buffer.concat([bytes.subarray(0, -1), Buffer.from(`,"a":1,"a":2}`)]),
  () => Buffer.from(`{"a":"${'x'.repeat(5 * 1024 ** 2)}"}`),
];

export function spoilBytes(bytes: Buffer, draw: Draw): Buffer {
  return draw.pick(SPOILERS)(bytes, draw);
}
