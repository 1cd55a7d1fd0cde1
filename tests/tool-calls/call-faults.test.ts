// What is said of the calls of a conversation.
import { describe, expect, it } from 'vitest';
import { createFit, describeMisfit, findCallFaults } from '../../lib/tool-calls/index.js';

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};
const tools = [weather, { name: 'stop', input_schema: { type: 'object' } }];

const user = { role: 'user', content: 'How is the weather in Paris?' };
const calls = (...given: { name?: string; args?: unknown; id?: string }[]) => ({
  role: 'assistant',
  tool_calls: given.map(({ name = 'get_weather', args = '{"city":"Paris"}', id }) => ({
    ...(id && { id }),
    type: 'function',
    function: { name, arguments: args },
  })),
});
const result = (id?: string) => ({ role: 'tool', content: 'sunny', ...(id && { tool_call_id: id }) });
const said = { role: 'assistant', content: 'It is sunny.' };

describe('the calls of a conversation', () => {
  it.each([
    ['that end it', [user, calls({ id: 'a' })]],
    ['with a result', [user, calls({ id: 'a' }), result('a'), said]],
    [
      'with results in another order',
      [user, calls({ id: 'a' }, { id: 'b' }), result('b'), result('a'), said],
    ],
    ['without ids', [user, calls({}, {}), result(), result(), said]],
    ['with arguments as an object', [user, calls({ args: { city: 'Paris', days: 2 } })]],
    [
      'of a function without a schema for what is given',
      [user, calls({ name: 'stop', args: '{"now":true}' })],
    ],
    ['with no arguments at all', [user, calls({ name: 'stop', args: '' })]],
    ['with null for no arguments', [user, calls({ name: 'stop', args: null })]],
    [
      'without a function around them',
      [user, { role: 'assistant', tool_calls: [{ name: 'get_weather', arguments: { city: 'Paris' } }] }],
    ],
    ['that are none', [user, { ...said, tool_calls: [] }, user, { ...said, tool_calls: null }]],
  ])('%s are right', (_, messages) => {
    expect(findCallFaults(messages, tools)).toEqual([]);
  });

  it.each([
    ['of a function that no tool has', [user, calls({ name: 'get_time', args: '{}' })]],
    ['without a name', [user, { role: 'assistant', tool_calls: [{ id: 'a' }, null] }]],
  ])('%s are of an unknown function', (_, messages) => {
    expect(findCallFaults(messages, tools)).toEqual(['unknown_function']);
  });

  it('are of an unknown function in a row without tools', () => {
    expect(findCallFaults([user, calls({})], undefined)).toEqual(['unknown_function']);
  });

  it.each([
    ['that are no JSON', '{"city": Paris}'],
    ['that are no object', '["Paris"]'],
    ['that lack a required one', '{"days":1}'],
    ['of another type', '{"city":"Paris","days":"two"}'],
    ['that the function does not have', '{"city":"Paris","unit":"C"}'],
  ])('have wrong arguments: %s', (_, args) => {
    expect(findCallFaults([user, calls({ args })], tools)).toEqual(['wrong_arguments']);
    expect(describeMisfit([user, calls({ args })], tools)).toMatch(/^get_weather, /);
  });

  it('are described by the first argument that does not fit', () => {
    const describe = (...args: unknown[]) =>
      describeMisfit([user, calls(...args.map(each => ({ args: each })))], tools);
    expect(describe('{"city":"Paris"}', '{"city":"Paris","days":"two"}')).toMatch(
      /^get_weather, `days`: .*number/,
    );
    expect(describe('{"days":1}')).toBe('get_weather, `city` is missing');
    expect(describe('["Paris"]')).toBe('get_weather, its arguments are not a JSON object');
    expect(describe('{"city":"Paris"}')).toBeNull();
  });

  it('have arguments that are not checked where a schema cannot be', () => {
    const odd = { function: { name: 'get_weather', parameters: { $ref: '#/nowhere' } } };
    expect(findCallFaults([user, calls({})], [odd])).toEqual([]);
  });

  it.each([
    ['a result of another call', [user, calls({ id: 'a' }), result('b'), said]],
    ['a result without a call', [user, result('a'), said]],
    ['two results of one call', [user, calls({ id: 'a' }), result('a'), result('a'), said]],
    ['a call that is never answered', [user, calls({ id: 'a' }, { id: 'b' }), result('a'), said]],
    ['a call that the user talks over', [user, calls({ id: 'a' }), user, said]],
  ])('have %s', (_, messages) => {
    expect(findCallFaults(messages, tools)).toEqual(['unmatched_result']);
  });

  it('have all of their faults said', () => {
    const messages = [user, calls({ name: 'get_time' }, { args: '{}', id: 'a' }), said];
    expect(findCallFaults(messages, tools)).toEqual([
      'unknown_function',
      'wrong_arguments',
      'unmatched_result',
    ]);
  });
});

describe('a value', () => {
  const letters = { type: 'string', pattern: '^\\p{L}+$' };
  const id = { type: 'integer', minimum: 0 };

  it.each<[object, unknown, unknown]>([
    [letters, 'Zoé', 'Z-1'],
    [{ type: 'object', properties: { a: letters } }, { a: 'Zoé' }, { a: '' }],
    [{ anyOf: [letters, id] }, 'Zoé', '1'],
    [{ type: 'object', propertyNames: letters }, { é: 1 }, { 'é-1': 1 }],
    [id, 2 ** 63, -(2 ** 63)],
    [{ ...id, maximum: 2 ** 60 }, 2 ** 59, 2 ** 63],
  ])('of %j fits as JSON Schema has it: %j, and not %j', (schema, fitting, wrong) => {
    const fits = createFit(schema)!;
    expect([fits(fitting), fits(wrong)]).toEqual([true, false]);
  });
});
