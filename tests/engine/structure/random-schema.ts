// Random JSON schemas of what can be enforced, with values that end soon.
import type { JsonSchema } from '../../../lib/engine/structure/index.js';

export type SomeSchema = Exclude<JsonSchema, boolean>;

/** Returns a number in [0, 1). */
type Draw = () => number;

const NAMES = ['id', 'name', 'tags', 'größe', 'a b', 'nested', 'x"y'];
const WORDS = ['red', 'green', 'blau', 'über', 'a "quote"', ''];

const PATTERNS = [
  '^[A-Z]{2}-\\d{3,5}$',
  '^(?!admin)[a-z]+$',
  'ab?c',
  '^(?=.*\\d)[a-z\\d]+$',
  '^\\p{Lu}',
  '^[^\\s"]+ \\S$',
  '^(?:red|green)(?:, (?:red|green))*$',
];

/** A schema with parts that others refer to, one of them itself. */
export function randomDocument(draw: Draw): SomeSchema {
  const properties = {
    part: { $ref: '#/$defs/part' },
    next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/list' }] },
  };
  const list = { type: 'object', properties, required: ['part', 'next'], additionalProperties: false };
  const $defs = { part: randomSchema(draw, 2), list };
  return draw() < 0.2 ? { $ref: '#/$defs/list', $defs } : randomSchema(draw);
}

function randomSchema(draw: Draw, depth = 0): SomeSchema {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(draw() * values.length)]!;
  const within = (most: number) => Math.floor(draw() * (most + 1));
  const scalars = [
    () => ({ type: 'boolean' }),
    () => ({ type: 'null' }),
    () => ({ enum: WORDS.slice(0, 1 + within(4)) }),
    () => ({ const: pick([1, 'one', true, null, { a: [1] }]) }),
    () => ({ type: 'string', maxLength: 1 + within(8), minLength: within(1) }),
    () => ({ type: 'integer', minimum: within(5), maximum: 5 + within(500) }),
    () => ({ type: 'number', minimum: -1, maximum: 1, multipleOf: 0.25 }),
    () => ({ type: 'string', pattern: pick(PATTERNS), maxLength: 12 + within(8) }),
    () => ({ type: 'string', pattern: pick(PATTERNS), maxLength: 20, minLength: within(3) }),
    () => ({ type: 'string', format: pick(['date', 'date-time', 'time', 'uuid', 'ipv4']) }),
    () => ({ type: 'string', format: pick(['email', 'uri', 'hostname', 'duration', 'ipv6']), maxLength: 40 }),
    () => ({ type: 'string', not: { enum: WORDS.slice(0, 3) }, maxLength: 6 }),
    () => ({ type: ['string', 'boolean', 'null'], not: { pattern: '^[a-m]' }, maxLength: 6 }),
  ];
  const nested = [
    () => randomObject(draw, depth),
    () => {
      const items = randomSchema(draw, depth + 1);
      return { type: 'array', items, minItems: within(1), maxItems: 1 + within(2) };
    },
    () => ({ anyOf: [randomSchema(draw, depth + 1), randomSchema(draw, depth + 1)] }),
    () => ({ type: ['string', 'null'], maxLength: 4 }),
    () => ({ anyOf: [{ type: 'object' }, { type: ['null', 'object'] }], not: { required: ['id'] } }),
    () => ({ type: 'object', additionalProperties: randomSchema(draw, depth + 1), required: ['id'] }),
    () => ({
      type: 'object',
      patternProperties: { '^x_[a-z]{1,3}$': randomSchema(draw, depth + 1), '\\d$': { type: 'boolean' } },
      propertyNames: { maxLength: 8 },
      additionalProperties: false,
    }),
    () => ({ type: 'array', items: { enum: WORDS }, uniqueItems: true, minItems: within(2) }),
    () => ({
      ...randomObject(draw, depth),
      properties: { card: { type: 'integer', maximum: 9 }, address: randomSchema(draw, depth + 1) },
      required: [],
      dependentRequired: { card: ['address'] },
    }),
    () => {
      const prefixItems = [randomSchema(draw, depth + 1), randomSchema(draw, depth + 1)];
      return { type: 'array', prefixItems, items: false, minItems: 1 };
    },
    () => ({
      oneOf: [
        { type: 'integer', maximum: 9 },
        { type: 'string', maxLength: 3 },
      ],
    }),
    () => ({ allOf: [{ type: 'integer', minimum: 2 }, { maximum: 30 }], description: 'small' }),
  ];
  return pick(depth < 3 ? [...scalars, ...nested, ...nested] : scalars)();
}

function randomObject(draw: Draw, depth: number): SomeSchema {
  const names = NAMES.filter(() => draw() < 0.4);
  const properties = Object.fromEntries(names.map(name => [name, randomSchema(draw, depth + 1)]));
  const required = names.filter(() => draw() < 0.8);
  return { type: 'object', properties, required, additionalProperties: false };
}
