// One thing wrong with a JSON body: in its values, or in its bytes.
import type { Draw } from './draw.js';

/** As an own key, as in a body. */
const PROTO = JSON.parse('{"__proto__":{"a":1},"constructor":1}') as object;

const ODD_VALUES: readonly unknown[] = [
  null,
  -1,
  1e308,
  -0.5,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  -(2 ** 53),
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
  '__proto__',
  PROTO,
];

/** Schemas of answers and arguments that cannot be followed. */
const ODD_SCHEMAS: readonly object[] = [
  { $ref: '#/$defs/%zz' },
  { $ref: '#/$defs/%E0%A4%A' },
  { $ref: '#/$defs/__proto__' },
  { $ref: '#' },
  { allOf: [{ $ref: '#' }, { $ref: '#' }] },
  { type: 'object', properties: PROTO, required: ['__proto__'] },
  { type: 'array', minItems: 2 ** 53 },
  { type: 'integer', minimum: 1e308, multipleOf: 5e-324 },
  { enum: [nested(40)] },
];

/** One character over and over, of one byte, two or four. */
const LONG_TEXTS: readonly string[] = [' ', 'a', '\n', 'é', '👋'].map(one => one.repeat(400_000));

function nested(depth: number): unknown {
  return JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
}

/** What a body that generates says in one place, whatever it was. */
export function spoilQuestion(body: object, draw: Draw): object {
  const schema = draw.pick(ODD_SCHEMAS);
  const tool = { name: 'look', parameters: schema };
  const call = { name: 'look', arguments: `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}` };
  const calls = [{ id: 'c', type: 'function', function: call }];
  return {
    ...body,
    ...draw.pick<object>([
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } },
      { text: { format: { type: 'json_schema', name: 'a', schema } } },
      { tools: [{ type: 'function', function: tool }], tool_choice: 'required' },
      { tools: [{ type: 'function', ...tool }], tool_choice: 'required' },
      {
        tools: [{ name: 'look', input_schema: { type: 'object', ...schema } }],
        tool_choice: { type: 'any' },
      },
      { messages: [{ role: '__proto__', content: 'a' }] },
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: null, tool_calls: calls },
        ],
      },
      { messages: [{ role: 'user', content: draw.pick(LONG_TEXTS) }] },
      { input: draw.pick(LONG_TEXTS) },
      { prompt: draw.pick(LONG_TEXTS) },
      { max_tokens: 2 ** 53, seed: 2 ** 53, logit_bias: PROTO },
    ]),
  };
}

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
