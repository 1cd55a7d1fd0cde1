// Structured answers with a real vocabulary and random logits: whatever the model prefers, the shape is kept.
import { rm } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError } from '../../../lib/engine/engine-error.js';
import { argmax } from '../../../lib/engine/generate/sampling/choose.js';
import { createRandom } from '../../../lib/engine/random.js';
import { toGrammar } from '../../../lib/engine/structure/grammar/json-schema.js';
import type { Node } from '../../../lib/engine/structure/grammar/machine.js';
import {
  type AnswerShape,
  type CallNotation,
  createStructure,
  createTokenTable,
  type JsonSchema,
  type TokenTable,
} from '../../../lib/engine/structure/index.js';
import { type ModelText, openText } from '../../../lib/engine/text/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeTextFolder } from '../../support/tiny-tokenizer.js';
import { randomDocument } from './random-schema.js';

let folder: string;
let text: ModelText;
let table: TokenTable;
beforeAll(async () => {
  folder = await makeTextFolder({ merges: 50 });
  text = await openText(folder);
  table = createTokenTable(text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const isValid = (schema: JsonSchema, value: unknown) =>
  new Ajv2020({ strict: false, allErrors: true }).validate(schema as object, value);

interface Written {
  text: string;
  calls: { name: string; arguments: string }[];
  whole: string;
  isEnded: boolean;
}

/** Writes an answer with these logits for each step. */
function write(shape: AnswerShape, logitsOf: (step: number) => Float32Array, most = 1500): Written {
  const structure = createStructure(table, shape);
  const [inText, whole]: [number[], number[]] = [[], []];
  const calls: { name: string; ids: number[] }[] = [];
  let isEnded = false;
  for (let step = 0; step < most && !isEnded; step++) {
    const id = structure.choose(logitsOf(step), argmax);
    const { writes, call } = structure.taken;
    if (writes === 'text' && !table.endIds.has(id)) inText.push(id);
    if (call) {
      calls[call.index] ??= { name: call.name, ids: [] };
      calls[call.index]!.ids.push(id);
    }
    if (!table.endIds.has(id)) whole.push(id);
    isEnded = structure.isEnded || table.endIds.has(id);
  }
  return {
    text: text.decode(inText),
    calls: calls.map(({ name, ids }) => ({ name, arguments: text.decode(ids) })),
    whole: text.decode(whole),
    isEnded,
  };
}

function randomLogits(seed: number): (step: number) => Float32Array {
  const { next } = createRandom(seed, 1);
  return () => Float32Array.from({ length: text.vocabSize + 4 }, () => next() * 8);
}

/** The logits of a model that wants to write this text, and then something else. */
function wanting(given: string, after: string): (step: number) => Float32Array {
  const ids = [...text.encode(given), ...text.encode(after)];
  return step => {
    const logits = new Float32Array(text.vocabSize);
    logits[ids[step] ?? text.eosIds[0]!] = 10;
    return logits;
  };
}

describe('a JSON value', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('is whole and fits its schema, for 150 random schemas', () => {
    const { next } = createRandom(7, 7);
    let ended = 0;
    for (let seed = 0; seed < 150; seed++) {
      const schema = randomDocument(next);
      const written = write({ json: schema }, randomLogits(seed));
      if (!written.isEnded) continue;
      ended++;
      expect(isValid(schema, JSON.parse(written.text)), `${JSON.stringify(schema)}: ${written.text}`).toBe(
        true,
      );
    }
    expect(ended).toBeGreaterThan(145);
  });

  it('keeps what the model wants to write, where it may', () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const wanted = '{"name": "Zoë"}';
    expect(write({ json: schema }, wanting(wanted, ' and more')).text).toBe(wanted);
  });

  it('may have types that a choice narrows', () => {
    const schema = { type: ['number', 'null'], anyOf: [{ type: 'integer', maximum: 9 }, { type: 'null' }] };
    expect(write({ json: schema }, wanting('null', '')).text).toBe('null');
    expect(write({ json: schema }, wanting('7', '')).text).toBe('7');
  });

  it('ends as soon as it is whole', () => {
    const schema = { enum: ['yes', 'no'] };
    expect(write({ json: schema }, wanting('"yes"', '   \n\n  ')).text).toBe('"yes"');
    expect(write({ json: { const: 12 } }, wanting('12', '')).text).toBe('12');
  });

  it('has no markers, and not much whitespace', () => {
    const marker = text.eosIds[0]!;
    const { whole } = write({ json: { type: 'string', maxLength: 3 } }, () => {
      const logits = new Float32Array(text.vocabSize);
      for (const id of [marker, ...text.encode('<|im_start|>'), ...text.encode(' '), ...text.encode('\n')])
        logits[id] = 5;
      return logits;
    });
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
    expect(() => createStructure(table, { json: schema })).toThrow('too many choices');
  });

  it.each([
    ['allOf', (i: number) => ({ properties: { [`name${i}`]: true } })],
    ['oneOf', (i: number) => ({ required: ['kind'], properties: { kind: { const: i } } })],
  ])('of a schema with thousands of parts in %s is refused', (name, part) => {
    const schema = { [name]: Array.from({ length: 1500 }, (_, i) => part(i)) };
    expect(() => createStructure(table, { json: schema })).toThrow('too many choices');
  });

  it('may be any of thousands of constants, each of which is there once', () => {
    const constants = Array.from({ length: 3000 }, (_, i) => ({ const: `c${i}` }));
    expect(write({ json: { oneOf: constants } }, wanting('"c2999"', '')).text).toBe('"c2999"');
    const create = () => createStructure(table, { json: { oneOf: [...constants, { enum: ['x', 'c7'] }] } });
    expect(create).toThrow('oneOf: 7 and 3000 may both fit');
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
    const names = Array.from({ length: 60 }, (_, i) => `d${i}`);
    const $defs = Object.fromEntries(
      names.map((_, i) => {
        const $ref = `#/$defs/${names[(i + 1) % names.length]}`;
        const part = (name: string) => ({
          type: 'object',
          properties: { [name]: { $ref } },
          required: [name],
        });
        return [names[i], { anyOf: [part('a'), part('b')] }];
      }),
    );
    const create = () => createStructure(table, { json: { $ref: '#/$defs/d0', $defs } });
    expect(create).toThrow(/too many choices|no value fits/);
  });

  it.each<[string, JsonSchema]>([
    ['pattern', { type: 'string', pattern: '^a' }],
    ['format', { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } }],
    ['unevaluatedProperties', { type: 'object', unevaluatedProperties: false }],
    ['uniqueItems', { type: 'array', uniqueItems: true }],
    ['oneOf', { oneOf: [{ type: 'string' }, { type: 'string', maxLength: 3 }] }],
    ['$ref', { $ref: 'https://example.com/schema' }],
    ['percent-encoded', { $ref: '#/$defs/%zz' }],
    ['percent-encoded', { $ref: '#/$defs/%E0%A4%A', $defs: {} }],
    ['is not there', { $ref: '#/$defs/__proto__', $defs: {} }],
    ['nested too deeply', nested(20_000)],
    ['type', { type: 'object', anyOf: [{ type: 'string' }, { type: 'object' }] }],
    ['exclusiveMinimum', { type: 'number', minimum: 0, exclusiveMinimum: true }],
    ['not a type', { type: 'text' }],
    ['nothing', false],
    ['nothing', { type: 'string', minLength: 3, maxLength: 2 }],
    ['nothing', { type: 'integer', minimum: 1.2, maximum: 1.8 }],
    ['nothing', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
  ])('of a schema with %s is refused before the first token', (name, schema) => {
    const create = () => createStructure(table, { json: schema });
    expect(create).toThrow(EngineError);
    expect(create).toThrow(name === 'nothing' ? 'no value fits' : name);
  });
});

function nested(depth: number): JsonSchema {
  let schema: JsonSchema = { type: 'string' };
  for (let i = 0; i < depth; i++) schema = { type: 'array', items: schema };
  return schema;
}

describe('calls', () => {
  const functions = [
    {
      name: 'get_weather',
      schema: {
        type: 'object',
        properties: {
          city: { type: 'string', maxLength: 6 },
          days: { type: 'integer', minimum: 1, maximum: 9 },
        },
        required: ['city', 'days'],
        additionalProperties: false,
      },
    },
    { name: 'get', schema: { type: 'object', properties: {}, additionalProperties: false } },
  ];
  const shape = (notation: CallNotation, isRequired = true, parallel = true): AnswerShape => ({
    calls: { functions, isRequired, parallel, notation },
  });

  it.each(['tags', 'bare'] as const)('are written as %s, with arguments that fit', notation => {
    const names = new Set<string>();
    for (let seed = 0; seed < 60; seed++) {
      const { calls, whole, text: before, isEnded } = write(shape(notation), randomLogits(seed));
      if (!isEnded) continue;
      expect(before).toBe('');
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) {
        names.add(call.name);
        const { schema } = functions.find(({ name }) => name === call.name)!;
        expect(isValid(schema, JSON.parse(call.arguments)), call.arguments).toBe(true);
      }
      if (notation === 'tags') {
        const blocks = whole.split(/<\/?tool_call>/).filter(part => part.trim() !== '');
        expect(blocks.map(block => JSON.parse(block).name)).toEqual(calls.map(({ name }) => name));
      } else expect(JSON.parse(whole).name).toBe(calls[0]!.name);
    }
    expect([...names].sort()).toEqual(['get', 'get_weather']);
  });

  it('come one at a time unless several may follow', () => {
    const twice = '<tool_call>\n{"name": "get", "arguments": {}}\n</tool_call>\n'.repeat(2);
    expect(write(shape('tags'), wanting(twice.trim(), '')).calls).toHaveLength(2);
    expect(write(shape('tags', true, false), wanting(twice.trim(), '')).calls).toHaveLength(1);
  });

  it('may be left out, or follow a text whose start of a call the reader finds', () => {
    expect(write(shape('tags', false), wanting('Just text.', ''))).toMatchObject({
      text: 'Just text.',
      calls: [],
    });
    const structure = createStructure(table, shape('tags', false));
    expect(structure.start).toBe('<tool_call>');
    structure.begin('\n{"na');
    const wanted = text.encode('me": "get", "arguments": {}}');
    for (const wantedId of wanted) {
      const logits = new Float32Array(text.vocabSize);
      logits[wantedId] = 10;
      structure.choose(logits, argmax);
      if (structure.taken.call) break;
    }
    expect(structure.taken.call).toEqual({ index: 0, name: 'get' });
  });

  it('may take the place of a value', () => {
    const both = {
      ...shape('tags', false),
      json: { type: 'object', additionalProperties: { type: 'integer' } },
    };
    expect(write(both, wanting('{"a": 1}', ''))).toMatchObject({ text: '{"a": 1}', calls: [] });
    const call = '<tool_call>\n{"name": "get", "arguments": {}}\n</tool_call>';
    expect(write(both, wanting(call, ''))).toMatchObject({ text: '', calls: [{ name: 'get' }] });
  });

  it('of functions whose arguments cannot be enforced are refused', () => {
    const bad = {
      name: 'f',
      schema: { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } },
    };
    const create = () =>
      createStructure(table, {
        calls: { functions: [bad], isRequired: false, parallel: true, notation: 'tags' },
      });
    expect(create).toThrow('pattern');
  });
});
