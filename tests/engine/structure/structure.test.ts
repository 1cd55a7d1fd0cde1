// Structured answers with a real vocabulary and random logits: whatever the model prefers, the shape is kept.
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../lib/engine/engine-error.js';
import { createRandom } from '../../../lib/engine/random.js';
import { openGrammar } from '../../../lib/engine/structure/grammar/index.js';
import { toGrammar } from '../../../lib/engine/structure/grammar/json-schema.js';
import type { Node, State } from '../../../lib/engine/structure/grammar/machine.js';
import { createStructure, type JsonSchema } from '../../../lib/engine/structure/index.js';
import { createTokenTable } from '../../../lib/engine/structure/token-table.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { randomDocument } from './random-schema.js';
import { isValid, logitsFor, randomLogits, table, text, wanting, write } from './writing.js';

/** What the model wants to write, as far as the schema lets it. */
const writeJson = (json: JsonSchema, wanted: string, after?: string) =>
  write({ json }, wanting(wanted, after)).text;
const creating = (json: JsonSchema) => () => createStructure(table, { json });

const base = { type: 'object', properties: { id: { type: 'integer' } } };
const $defs = { Base: base, N: { type: 'integer' } };
const small = { $ref: '#/$defs/N', maximum: 5 };

describe('a JSON value', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('is whole and fits its schema, for 150 random schemas', () => {
    const { next } = createRandom(7, 7);
    let ended = 0;
    for (let seed = 0; seed < 150; seed++) {
      const schema = randomDocument(next);
      const written = write({ json: schema }, randomLogits(seed));
      if (!written.isEnded) continue;
      ended++;
      const isFitting = isValid(schema, JSON.parse(written.text));
      expect(isFitting, `${JSON.stringify(schema)}: ${written.text}`).toBe(true);
    }
    expect(ended).toBeGreaterThan(145);
  });

  const narrowed = { type: ['number', 'null'], anyOf: [{ type: 'integer', maximum: 9 }, { type: 'null' }] };
  it.each<[JsonSchema, wanted: string, after?: string]>([
    [{ type: 'object', properties: { name: { type: 'string' } } }, '{"name": "Zoë"}', ' and more'],
    [narrowed, 'null'],
    [narrowed, '7'],
    [{ enum: ['yes', 'no'] }, '"yes"', '   \n\n  '],
    [{ const: 12 }, '12'],
  ])(
    'of %j is what the model wants to write, %s, and ends as soon as it is whole',
    (schema, wanted, after) => {
      expect(writeJson(schema, wanted, after)).toBe(wanted);
    },
  );

  const words = { type: 'array', items: { enum: ['x', 'y'] }, minItems: 1 };
  it.each<[JsonSchema, wanted: string]>([
    [
      { properties: { cart: words, 'cart.items': { type: 'integer' } }, required: ['cart', 'cart.items'] },
      '{"cart": ["y"], "cart.items": 7}',
    ],
    [
      {
        properties: { first: { $ref: '#/$defs/Cart.items' }, cart: { $ref: '#/$defs/Cart' } },
        required: ['first', 'cart'],
        $defs: { 'Cart.items': { type: 'integer' }, Cart: words },
      },
      '{"first": 7, "cart": ["y"]}',
    ],
  ])('keeps parts apart whose names look like a way to others: %j', (schema, wanted) => {
    expect(writeJson(schema, wanted)).toBe(wanted);
  });

  it.each<[JsonSchema, wanted: string]>([
    [{ type: 'string' }, '"caf\\u00e9!"'],
    [{ type: 'string', maxLength: 8 }, '"\\u001b[31mred"'],
    [{ type: 'string', minLength: 3, maxLength: 3 }, '"a\\uD83D\\uDE00b"'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, '{"t\\u2028": "\\/\\u0022"}'],
    [{ type: 'string', pattern: '^caf\\p{Ll}!$' }, '"caf\\u00e9!"'],
    [{ type: 'string', pattern: '^.\\x1b😀$', maxLength: 3 }, '"\\u0041\\u001B\\ud83d\\ude00"'],
  ])('may have characters that are escaped by number: %j, %s', (schema, wanted) => {
    expect(writeJson(schema, wanted)).toBe(wanted);
    expect(isValid(schema, JSON.parse(wanted))).toBe(true);
  });

  it.each<[JsonSchema, wanted: string]>([
    [{ type: 'string' }, '"\\ud83d!"'],
    [{ type: 'string' }, '"\\ude00"'],
    [{ type: 'string' }, '"\\u12g4"'],
    [{ type: 'string' }, '"\\U0041"'],
    [{ type: 'string', maxLength: 1 }, '"\\u0041\\u0041"'],
    [{ type: 'string', pattern: '^[a-z]+$' }, '"\\u0041"'],
    [{ type: 'string', pattern: '^(?=.{1,9}$)[^@]+@[^@]+$' }, '"a@b\\u000ac"'],
    [{ type: 'object', properties: { a: true }, additionalProperties: { type: 'null' } }, '{"\\u0061": 1}'],
  ])('has no half of a character, nor one by number that may not be there: %j, %s', (schema, wanted) => {
    const written = writeJson(schema, wanted);
    expect(written.startsWith(wanted.slice(0, -1))).toBe(false);
    const value = String(JSON.parse(written));
    expect(Buffer.from(value).toString()).toBe(value);
    expect(isValid(schema, JSON.parse(written))).toBe(true);
  });

  it.each<[JsonSchema, wanted: string, fitting: string]>([
    [{ $defs, type: 'object', allOf: [{ $ref: '#/$defs/Base', required: ['id'] }] }, '{}', '{"id": 7}'],
    [{ $defs, type: ['integer', 'null'], anyOf: [small, { type: 'null' }] }, '9', '3'],
    [{ $defs, oneOf: [small, { type: 'null' }], title: 'x' }, '9', '3'],
    [{ $defs, patternProperties: { '^x': small }, properties: { xa: true } }, '{"xa": 9}', '{"xa": 3}'],
  ])('keeps to what stands beside a reference: %j', (schema, wanted, fitting) => {
    expect(writeJson(schema, fitting)).toBe(fitting);
    expect(writeJson(schema, wanted)).not.toBe(wanted);
  });

  it('has no markers, and not much whitespace', () => {
    const wanted = ['<|im_start|>', ' ', '\n'].flatMap(part => text.encode(part));
    const json = { type: 'string', maxLength: 3 };
    const { whole } = write({ json }, () => logitsFor(text.endIds[0]!, ...wanted));
    expect(whole).not.toContain('<|');
    expect(whole.trim().length).toBeGreaterThan(1);
    expect(whole.length - whole.trim().length).toBeLessThan(8);
  });

  it('of a short schema that names the same parts again and again is refused', () => {
    const layers = Array.from({ length: 40 }, (_, i) => {
      const anyOf = ['a', 'b'].map(name => ({ $ref: `#/$defs/${name}${i + 1}` }));
      return { [`a${i}`]: { anyOf }, [`b${i}`]: { anyOf, title: 'b' } };
    });
    const $defs = Object.assign({ a40: { type: 'object' }, b40: { required: ['x'] } }, ...layers);
    const schema = { properties: { y: true }, anyOf: [{ $ref: '#/$defs/a0' }], $defs };
    expect(creating(schema)).toThrow('too many choices');
  });

  it.each([
    ['allOf', (i: number) => ({ properties: { [`name${i}`]: true } })],
    ['oneOf', (i: number) => ({ required: ['kind'], properties: { kind: { const: i } } })],
  ])('of a schema with thousands of parts in %s is refused', (name, part) => {
    const schema = { [name]: Array.from({ length: 1500 }, (_, i) => part(i)) };
    expect(creating(schema)).toThrow('too many choices');
  });

  it('may be any of thousands of constants, each of which is there once', () => {
    const constants = Array.from({ length: 3000 }, (_, i) => ({ const: `c${i}` }));
    expect(writeJson({ oneOf: constants }, '"c2999"')).toBe('"c2999"');
    const twice = { oneOf: [...constants, { enum: ['x', 'c7'] }] };
    expect(creating(twice)).toThrow('oneOf: 7 and 3000 may both fit');
  });

  it('of a schema with many properties takes memory in proportion to them', () => {
    const properties = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, true]));
    const nodes = new Set<Node>();
    const waiting = [toGrammar({ properties })];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (nodes.has(node)) continue;
      nodes.add(node);
      if (node.kind === 'later') waiting.push(node.get());
      else if (node.kind !== 'match') waiting.push(...node.items);
    }
    expect(nodes.size).toBeLessThan(30 * 300);
  });

  it('of a schema that would take forever to look at is refused soon', () => {
    const parts = Array.from({ length: 60 }, (_, i) => {
      const following = { $ref: `#/$defs/d${(i + 1) % 60}` };
      const having = (name: string) => ({
        type: 'object',
        properties: { [name]: following },
        required: [name],
      });
      return [`d${i}`, { anyOf: [having('a'), having('b')] }];
    });
    const schema = { $ref: '#/$defs/d0', $defs: Object.fromEntries(parts) };
    expect(creating(schema)).toThrow(/too many choices|no value fits/);
  });

  const upTo5 = { type: 'integer', minimum: 1, maximum: 5 };
  it.each<[string, JsonSchema]>([
    ['$.pattern: "(?<=a)b": looking behind', { type: 'string', pattern: '(?<=a)b' }],
    ['format', { type: 'object', properties: { at: { type: 'string', format: 'regex' } } }],
    ['propertyNames.anyOf', { type: 'object', propertyNames: { anyOf: [{ maxLength: 3 }] } }],
    ['not', { type: 'integer', not: { enum: [3] } }],
    ['not', { type: 'array', not: { contains: { const: 1 } } }],
    ['not', { type: 'object', not: { minProperties: 3 } }],
    ['not', { type: 'array', items: { type: 'string' }, not: { const: ['a'] } }],
    ['items', { items: { type: 'string' }, allOf: [{ type: 'array', prefixItems: [{ type: 'integer' }] }] }],
    ['nothing', { type: 'number', not: { pattern: 'a' } }],
    ['nothing', { enum: ['ä'], type: 'string', pattern: '^a' }],
    [
      'nothing',
      {
        type: 'array',
        items: {
          enum: [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
        },
        uniqueItems: true,
        minItems: 2,
      },
    ],
    ['nothing', { type: 'string', pattern: '^a', not: { pattern: 'a' } }],
    ['nothing', { type: 'object', propertyNames: { maxLength: 3 }, required: ['long'] }],
    ['nothing', { type: 'array', items: { enum: [1, 2, 2] }, uniqueItems: true, minItems: 3 }],
    ['unevaluatedProperties', { type: 'object', unevaluatedProperties: false }],
    ['uniqueItems', { type: 'array', uniqueItems: true }],
    ['uniqueItems', { type: 'array', uniqueItems: true, items: { ...upTo5, enum: [1, 5] } }],
    ['uniqueItems', { type: 'array', uniqueItems: true, items: { type: 'boolean', not: { const: true } } }],
    ['maxProperties', { ...closed('a'), patternProperties: { '^x': true }, maxProperties: 1 }],
    ['minProperties', { ...closed('a', 'b'), required: ['a', 'a'], minProperties: 2 }],
    ['minProperties', { allOf: [{ required: ['a'], minProperties: 1 }, { minProperties: 3 }] }],
    ['maxProperties', { allOf: [closed('a', 'b'), { maxProperties: 2 }, { maxProperties: 1 }] }],
    ['unevaluatedItems', { allOf: [{ unevaluatedItems: true }, { unevaluatedItems: false }] }],
    ['another part does not allow', { allOf: [closed('a'), closed('b')] }],
    ['another part does not allow', { allOf: [closed('a'), { patternProperties: { '^x': true } }] }],
    ['oneOf', { oneOf: [{ type: 'string' }, { type: 'string', maxLength: 3 }] }],
    ['oneOf', { oneOf: ['a', 'b'].map(kind => ({ ...ofKind(kind), type: ['object', 'null'] })) }],
    ['oneOf', { type: ['object', 'null'], oneOf: ['a', 'b'].map(ofKind) }],
    ['minProperties', { $defs, type: 'object', allOf: [{ $ref: '#/$defs/Base', minProperties: 3 }] }],
    ['$ref', { $ref: 'https://example.com/schema' }],
    ['percent-encoded', { $ref: '#/$defs/%zz' }],
    ['percent-encoded', { $ref: '#/$defs/%E0%A4%A', $defs: {} }],
    ['is not there', { $ref: '#/$defs/__proto__', $defs: {} }],
    ['nested too deeply', nested(20_000)],
    ['$.minLength: at most 10000', { type: 'string', minLength: 10_001 }],
    ['$.minLength: at most 10000', { type: 'string', minLength: 50_000_000, pattern: '^a*$' }],
    [
      '$.propertyNames.minLength: at most 10000',
      { propertyNames: { minLength: 10_001 }, additionalProperties: true },
    ],
    ['exclusiveMinimum', { type: 'number', minimum: 0, exclusiveMinimum: true }],
    ['not a type', { type: 'text' }],
    ['nothing', false],
    ['nothing', { type: 'string', minLength: 3, maxLength: 2 }],
    ['nothing', { type: 'integer', minimum: 1.2, maximum: 1.8 }],
    ['nothing', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
  ])('of a schema with %s is refused before the first token', (name, schema) => {
    expect(creating(schema)).toThrow(EngineError);
    expect(creating(schema)).toThrow(name === 'nothing' ? 'no value fits' : name);
  });
});

function ofKind(kind: string) {
  return { properties: { kind: { const: kind } }, required: ['kind'] };
}

function closed(...names: string[]) {
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, true])),
    additionalProperties: false,
  };
}

function nested(depth: number): JsonSchema {
  let schema: JsonSchema = { type: 'string' };
  for (let i = 0; i < depth; i++) schema = { type: 'array', items: schema };
  return schema;
}

it('a set may be of few integers', () => {
  const items = { type: 'integer', minimum: 1, maximum: 3 };
  const set = { type: 'array', items, uniqueItems: true, minItems: 3 };
  const written = JSON.parse(writeJson(set, '[3,3,3]')) as number[];
  expect(written.toSorted()).toEqual([1, 2, 3]);
  const many = { ...set, items: { type: 'integer', minimum: 1, maximum: 30 } };
  expect(creating(many)).toThrow('uniqueItems');
});

it.each([
  ['x', 63],
  ['x', 64],
  ['é', 64],
  ['x', 65],
])(
  'a name of %j, %i times, that is written again in another place does not stop the answer',
  (letter, times) => {
    const name = letter.repeat(times);
    const integer = { type: 'integer' };
    const properties = { [name]: integer, b: integer };
    const schema = { type: 'object', properties, required: ['b'], additionalProperties: integer };
    const written = JSON.parse(writeJson(schema, `{"b": 1, "${name}": 2}`));
    expect(written).toMatchObject({ b: 1 });
    expect(isValid(schema, written)).toBe(true);
  },
);

it.each<JsonSchema>([
  { type: 'object', additionalProperties: { type: 'integer' } },
  { type: 'object', properties: { src: true }, additionalProperties: { type: 'integer' } },
  { type: 'object', patternProperties: { '^src/': { type: 'integer' } }, additionalProperties: false },
  { type: 'object', propertyNames: { minLength: 100 }, additionalProperties: { type: 'integer' } },
])('names of undeclared properties are as long as they are: %j', schema => {
  const wanted = `{"src/${'components/'.repeat(20)}form.tsx": 1}`;
  expect(writeJson(schema, wanted)).toBe(wanted);
});

it('has the types that all parts allow', () => {
  const schema = { type: ['integer', 'null'], anyOf: [{ type: 'string' }, { type: ['number', 'boolean'] }] };
  expect(writeJson(schema, '12')).toBe('12');
  expect(Number.isInteger(Number(writeJson(schema, '1.5')))).toBe(true);
  expect(writeJson(schema, 'null')).toMatch(/^-?\d+$/);
});

it('names of properties that are only limited in length are written', () => {
  const schema = {
    type: 'object',
    propertyNames: { maxLength: 3 },
    additionalProperties: { type: 'integer' },
  };
  expect(writeJson(schema, '{"abc": 1}')).toBe('{"abc": 1}');
  expect(writeJson(schema, '{"abcd": 1}')).not.toContain('abcd');
});

/** All bytes, and pieces of texts that start and end anywhere, within characters too. */
function tableOfPieces() {
  const { next } = createRandom(3);
  const bytes = Buffer.from('a@b.io", Ä漢字 "É\\"🙂\\n-ßZ9"\\\\":é\u{10ffff}x, ');
  const pieces = Array.from({ length: 500 }, () => {
    const start = Math.floor(next() * bytes.length);
    return bytes.subarray(start, start + 2 + Math.floor(next() * 8));
  });
  const beyondUnicode = Uint8Array.of(0xf4, 0x90, 0x80, 0x80);
  const tokens = [...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)), ...pieces, beyondUnicode];
  return createTokenTable({
    vocabSize: tokens.length + 1,
    bytesOf: id => tokens[id] ?? Uint8Array.of(),
    isSpecial: id => id === tokens.length,
    endIds: [tokens.length],
  });
}

it.each([
  ['a real vocabulary', table],
  ['a vocabulary with parts of characters', tableOfPieces()],
])('a mask of %s has a token if and only if the token may be taken', (_, table) => {
  const { next } = createRandom(11);
  const schema = {
    type: 'object',
    properties: {
      email: { type: 'string', format: 'email', maxLength: 30 },
      title: { type: 'string', pattern: '^[^\\s,]+(?: \\p{Lu}[^\\s,]*)*$', minLength: 4 },
      free: { type: 'string', minLength: 2, maxLength: 9 },
      code: { anyOf: [{ type: 'string', pattern: '^[A-Z]"{0,2}\\d$' }, { type: 'integer' }] },
    },
    required: ['email', 'title', 'free', 'code'],
  };
  const grammar = openGrammar(table, schema, { part: 'json' });
  for (let round = 0; round < 6; round++)
    for (let state: State | null = grammar.start; state && state.threads.length > 0; ) {
      const mask = grammar.maskOf(state);
      const inMask = (id: number) => ((mask[id >>> 5]! >>> (id & 31)) & 1) === 1;
      const taken = Array.from({ length: table.size }, (_, id) => grammar.take(state!, id));
      expect(taken.flatMap((after, id) => ((after !== null) === inMask(id) ? [] : [id]))).toEqual([]);
      const fitting: (State | null)[] = taken.filter(after => after !== null);
      state = fitting[Math.floor(next() * fitting.length)]!;
    }
});
