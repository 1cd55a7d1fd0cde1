// Arguments of functions that are not strict: what cannot be enforced is checked.
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../lib/engine/engine-error.js';
import { argmax } from '../../../lib/engine/generate/sampler.js';
import { createStructure, type Taken } from '../../../lib/engine/structure/index.js';
import { logitsFor, table, text } from './writing.js';

describe('arguments that cannot be enforced', () => {
  const using = (parameters: object, isStrict: boolean) => {
    const schema = { type: 'object', required: ['a'], ...parameters };
    const functions = [{ name: 'f', schema, isStrict }];
    return { calls: { functions, isRequired: true, parallel: true, notation: 'tags' as const } };
  };
  const a = (schema: object) => ({ properties: { a: schema } });
  const call = (given: string) => `<tool_call>\n{"name": "f", "arguments": ${given}}\n</tool_call>`;

  it('are refused where the function is strict', () => {
    const create = () => createStructure(table, using(a({ type: 'string', pattern: '(?<=x)' }), true));
    expect(create).toThrow('pattern');
  });

  const conditional = JSON.parse('{"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}}');
  const two = { properties: { a: { enum: [1, 2] }, b: { enum: [1, 2] } } };
  it.each<[parameters: object, good: string, bad: string, unlike: string]>([
    [a({ type: 'string', pattern: '(a|b)\\1' }), '{"a": "aa"}', '{"a": "ab"}', '{"a": 5}'],
    [a({ type: 'string', format: 'regex' }), '{"a": "x+"}', '{"a": "x(a"}', '{"a": 5}'],
    [
      a({ type: 'array', items: { type: 'integer' }, uniqueItems: true }),
      '{"a": [1,2]}',
      '{"a": [1,1]}',
      '{"a": ["x"]}',
    ],
    [
      a({ type: 'array', contains: { const: 1 }, items: { enum: [1, 2] } }),
      '{"a": [2,1]}',
      '{"a": [2]}',
      '{"a": [3]}',
    ],
    [
      a({
        oneOf: [
          { type: 'string', maxLength: 1 },
          { type: 'string', pattern: 'b' },
        ],
      }),
      '{"a": "bb"}',
      '{"a": "b"}',
      '{"a": 5}',
    ],
    [{ ...two, ...conditional }, '{"a": 1, "b": 1}', '{"a": 1}', '{"a": 3}'],
    [{ ...two, maxProperties: 1 }, '{"a": 2}', '{"a": 2, "b": 1}', '{"a": 3}'],
  ])('are checked instead, with %j', (parameters, good, bad, unlike) => {
    expect(() => createStructure(table, using(parameters, true))).toThrow('cannot be enforced');
    const checkOf = (given: string) => {
      const structure = createStructure(table, using(parameters, false));
      const written: number[] = [];
      let check: Taken['check'];
      for (const id of text.encode(call(given))) {
        const chosen = structure.choose(logitsFor(id), argmax);
        if (structure.taken.writes === 'arguments') written.push(chosen);
        check ??= structure.taken.check;
      }
      return { given: text.decode(written), problem: () => check!(JSON.parse(text.decode(written))) };
    };
    const [first, second] = [checkOf(good), checkOf(bad)];
    expect([first.given, first.problem()]).toEqual([good, null]);
    expect([second.given, second.problem()]).toEqual([bad, expect.stringContaining(' must ')]);
    expect(checkOf(unlike).given, 'the rest is enforced').not.toBe(unlike);
  });

  it('are refused if they cannot be checked either', () => {
    for (const odd of [
      { unevaluatedProperties: false },
      a({ type: 'string', pattern: '(?<=x' }),
      a({ $ref: 'https://example.com' }),
      a({ type: 'text' }),
    ])
      expect(() => createStructure(table, using(odd, false)), JSON.stringify(odd)).toThrow(EngineError);
  });

  it.each<[part: unknown, reason: string]>([
    [{ $ref: 'other.json' }, '$.if.$ref: only references'],
    [{ properties: { a: { pattern: '(' } } }, 'pattern: "(": a group does not end'],
    [{ patternProperties: { '(': true } }, 'pattern: "(": a group does not end'],
    [{ properties: { a: { enum: 'abc' } } }, '$.if.properties.a.enum must be a list'],
    [{ properties: null }, '$.if.properties must be an object'],
    [{ items: { contains: { required: 5 } } }, '$.if.items.contains.required must be a list of names'],
    [{ anyOf: [{ type: 'text' }] }, '$.if.anyOf[0].type: "text" is not a type'],
    [{ not: { multipleOf: 0 } }, '$.if.not.multipleOf must be greater than 0'],
    [{ dependentSchemas: { a: 3 } }, '$.if.dependentSchemas.a must be an object'],
    [{ minItems: -1 }, '$.if.minItems must be a whole number'],
    [{ $ref: '#/$defs/part' }, '#/$defs/part.minimum must be a number'],
    [{ unevaluatedItems: false }, '$.if.unevaluatedItems cannot be enforced'],
    [5, '$.if must be an object'],
  ])('are refused before the call if a part that is only checked has a fault: %j', (part, reason) => {
    const $defs = { part: { items: { $ref: '#/$defs/part' }, minimum: '1' } };
    const faulty = { ...a({ type: 'integer' }), ...Object.fromEntries([['if', part]]), $defs };
    expect(() => createStructure(table, using(faulty, false))).toThrow(EngineError);
    expect(() => createStructure(table, using(faulty, false))).toThrow(reason);
  });

  it('start again where the arguments did', () => {
    const structure = createStructure(table, using(a({ type: 'string', format: 'regex' }), false));
    for (const id of text.encode(call('{"a": "("}'))) structure.choose(logitsFor(id), argmax);
    structure.restartCall();
    for (const id of text.encode('{"a": "x"}')) {
      expect(structure.choose(logitsFor(id), argmax)).toBe(id);
      expect(structure.taken.call).toEqual({ index: 0, name: 'f' });
    }
  });
});
