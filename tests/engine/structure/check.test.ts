// Values are held to schemas as an independent validator holds them.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, it } from 'vitest';
import { createRandom } from '../../../lib/engine/random.js';
import { SchemaError } from '../../../lib/engine/structure/grammar/keywords.js';
import { createCheck } from '../../../lib/engine/structure/grammar/rules.js';

const ajv = formats.default(new Ajv2020({ strict: false }));

const SCHEMAS = [
  { type: 'integer', minimum: 2, exclusiveMaximum: 6, multipleOf: 2 },
  { type: ['string', 'null'], minLength: 2, maxLength: 3 },
  { type: 'string', pattern: '^(a|b)\\1$' },
  { type: 'string', format: 'ipv4' },
  { enum: [1, 'a', { a: [1] }] },
  { const: [1, 2] },
  { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2, uniqueItems: true },
  { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
  { type: 'array', prefixItems: [{ type: 'string' }] },
  { type: 'array', contains: { type: 'string' }, minContains: 2, maxContains: 2 },
  { contains: { type: 'integer' } },
  { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false, required: ['a'] },
  { patternProperties: { '^a': { type: 'integer' } }, additionalProperties: { type: 'string' } },
  { additionalProperties: { type: 'integer' } },
  { propertyNames: { maxLength: 1 }, minProperties: 1, maxProperties: 2 },
  { dependentRequired: { a: ['b'] }, dependentSchemas: { b: { maxProperties: 2 } } },
  { allOf: [{ type: 'object' }, { required: ['b'] }] },
  { anyOf: [{ type: 'integer' }, { required: ['b'], type: 'object' }] },
  { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 3 }] },
  { not: { type: ['object', 'array'] } },
  JSON.parse('{"if": {"type": "object"}, "then": {"required": ["a"]}, "else": {"type": "number"}}'),
  { $ref: '#/$defs/list', $defs: { list: { type: ['array', 'integer'], items: { $ref: '#/$defs/list' } } } },
];

it.each(SCHEMAS)('%j', schema => {
  const { next } = createRandom(SCHEMAS.indexOf(schema), 2);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!;
  const some = (depth: number): unknown => {
    const scalars = [
      null,
      true,
      1,
      2,
      3,
      4.5,
      6,
      'a',
      'aa',
      'ab',
      'äöü',
      'abcd',
      '1.2.3.4',
      [1, 2],
      { a: [1] },
    ];
    const kind = depth > 2 ? 0 : next();
    if (kind < 0.4) return pick(scalars);
    const values = Array.from({ length: Math.floor(next() * 4) }, () => some(depth + 1));
    return kind < 0.7
      ? values
      : Object.fromEntries(values.map(value => [pick(['a', 'b', 'ab', 'c']), value]));
  };
  const check = createCheck(schema);
  const verdicts = new Set<boolean>();
  for (let i = 0; i < 600; i++) {
    const value = some(0);
    const fits = ajv.validate(schema, value);
    verdicts.add(fits);
    expect([check(value) === null, JSON.stringify(value)]).toEqual([fits, JSON.stringify(value)]);
  }
  expect(verdicts.size).toBe(2);
});

it.each([
  [0.01, [1234567.89, 99999999.99, -0.07, 1e21, 0], [0.001, 1234567.891, 0.0100001]],
  [0.1, [0.3, 1e15 + 0.5], [0.35]],
  [1e-7, [3e-7, 12.3456789], [1.5e-7, 5e-300]],
  [7, [7e20, -14], [1e15 + 2]],
])('takes what is a multiple of %d as it is written', (multipleOf, fitting, others) => {
  const check = createCheck({ multipleOf });
  expect(fitting.filter(value => check(value) !== null)).toEqual([]);
  expect(others.filter(value => check(value) === null)).toEqual([]);
});

it('says what is wrong, and where', () => {
  const schema = { properties: { a: { items: { type: 'string', minLength: 2 } } }, required: ['b'] };
  expect(createCheck(schema)({ a: ['xx', 'x'], b: 1 })).toBe('$.a[1] must have a length of at least 2');
  expect(createCheck(schema)({ a: [] })).toBe('$ must have b');
});

it('ends soon with a pattern that takes forever, and refuses one that is none', () => {
  const forever = createCheck({ pattern: '^(a+)+\\1$' });
  expect(forever(`${'a'.repeat(40)}b`)).toContain('must match');
  expect(() => createCheck({ pattern: '(?<=a' })).toThrow(SchemaError);
});
