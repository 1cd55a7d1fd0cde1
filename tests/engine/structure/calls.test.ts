// Calls of functions with a real vocabulary: their syntax, and their place beside a text or a value.
import { describe, expect, it } from 'vitest';
import { createStopScanner } from '../../../lib/engine/generate/piece-builder.js';
import { argmax } from '../../../lib/engine/generate/sampler.js';
import { type AnswerShape, type CallNotation, createStructure } from '../../../lib/engine/structure/index.js';
import { isValid, logitsFor, randomLogits, table, text, wanting, write } from './writing.js';

describe('calls', () => {
  const city = { type: 'string', maxLength: 6 };
  const days = { type: 'integer', minimum: 1, maximum: 9 };
  const exactly = { type: 'object', additionalProperties: false };
  const functions = [
    {
      name: 'get_weather',
      schema: { ...exactly, properties: { city, days }, required: ['city', 'days'] },
      isStrict: true,
    },
    { name: 'get', schema: { ...exactly, properties: {} }, isStrict: true },
  ];
  const shape = (notation: CallNotation, isRequired = true, parallel = true): AnswerShape => ({
    calls: { functions, isRequired, parallel, notation },
  });
  const call = '<tool_call>\n{"name": "get", "arguments": {}}\n</tool_call>';

  it.each(['tags', 'list', 'bare'] as const)('are written as %s, with arguments that fit', notation => {
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
      } else if (notation === 'list') {
        const list = JSON.parse(whole.replace('[TOOL_CALLS]', '')) as { name: string; id?: string }[];
        expect(list.map(({ name }) => name)).toEqual(calls.map(({ name }) => name));
        for (const { id = 'none00000' } of list) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
      } else expect(JSON.parse(whole).name).toBe(calls[0]!.name);
    }
    expect([...names].sort()).toEqual(['get', 'get_weather']);
  });

  it('come one at a time unless several may follow', () => {
    const twice = wanting(`${call}\n${call}`);
    expect(write(shape('tags'), twice).calls).toHaveLength(2);
    expect(write(shape('tags', true, false), twice).calls).toHaveLength(1);
  });

  const inList = '[TOOL_CALLS] [{"name": "get", "arguments": {}';
  const another = '{"name": "get_weather", "arguments": {"city":"Oslo","days":2}';
  it.each([
    `${inList}}, ${another}}]`,
    `${inList.replace('] [', '][')}, "id": "call00000"}, ${another}, "id": "call00001"}]`,
  ])('come several in a list: %s', wanted => {
    const { calls, whole, isEnded } = write(shape('list'), wanting(wanted));
    const [first, second] = [
      { name: 'get', arguments: '{}' },
      { name: 'get_weather', arguments: '{"city":"Oslo","days":2}' },
    ];
    expect({ calls, whole, isEnded }).toEqual({ calls: [first, second], whole: wanted, isEnded: true });
    expect(write(shape('list', true, false), wanting(wanted)).calls).toEqual([first]);
  });

  const withType = '{"type": "function", "name": "get", "parameters": {}}';
  it.each([withType, withType.replaceAll(' ', ''), '{"name":"get","parameters":{}}'])(
    'are bare in the variants that models write: %s',
    wanted => {
      const called = { calls: [{ name: 'get', arguments: '{}' }], whole: wanted, isEnded: true };
      expect(write(shape('bare'), wanting(wanted))).toMatchObject(called);
    },
  );

  it.each([
    ['tags', '<tool_call>', '{"name": "get", "arguments": '],
    ['list', '[TOOL_CALLS]', ' [{"name": "get", "arguments": '],
    ['bare', '{"name": "get"', ', "parameters": '],
    ['bare', '{"name":"get"', ',"parameters":'],
    ['bare', '{"type": "function", "name": "get"', ', "parameters": '],
    ['bare', '{"type":"function","name":"get"', ',"parameters":'],
  ] as const)('go on in the %s variant that a text starts: %s', (notation, start, rest) => {
    for (const length of [0, 1, 5]) {
      const structure = createStructure(table, shape(notation, false));
      expect(structure.starts).toContain(start);
      structure.begin(start + rest.slice(0, length));
      for (const id of text.encode(`${rest.slice(length)}{}`)) structure.choose(logitsFor(id), argmax);
      expect(structure.taken.call).toEqual({ index: 0, name: 'get' });
    }
  });

  it.each([
    '{"name": "Alice", "age": 3}',
    '{"name":"get_well","by":"May"}',
    '{"type": "function", "name": "f"}',
  ])('are not what only looks like one, which stays text: %s', plain => {
    const { starts, isEnded } = createStructure(table, shape('bare', false));
    const scanner = createStopScanner(starts!);
    const scans = text.encode(plain).map(id => scanner.push(text.decode([id])));
    expect(scans.map(scan => scan.text).join('') + scanner.flush()).toBe(plain);
    expect(scans.some(({ stopped }) => stopped) || isEnded).toBe(false);
  });

  it.each(['', ',', ',\n', '}'])(
    'are of the function that was named, whatever comes with its start: %j',
    rest => {
      const structure = createStructure(table, shape('bare', false));
      structure.begin(`{"name": "get"${rest}`);
      for (let step = 0; !structure.taken.call; step++) structure.choose(randomLogits(step)(step), argmax);
      expect(structure.taken.call).toEqual({ index: 0, name: 'get' });
    },
  );

  it('do not start where there are too few tokens for them', () => {
    const most = text.encode(call).length + 6;
    const twice = wanting(`${call}\n${call}`);
    const eager = (step: number) => twice(step).map(logit => logit * 10);
    const written = write(shape('tags'), eager, most);
    expect(written).toMatchObject({ calls: [{ arguments: '{}' }], whole: call, isEnded: true, isCut: true });
  });

  it('may be left out, or follow a text whose start of a call the reader finds', () => {
    const plain = { text: 'Just text.', calls: [] };
    expect(write(shape('tags', false), wanting('Just text.'))).toMatchObject(plain);
    const structure = createStructure(table, shape('tags', false));
    structure.begin('<tool_call>\n{"na');
    for (const id of text.encode('me": "get", "arguments": {}}')) {
      structure.choose(logitsFor(id), argmax);
      if (structure.taken.call) break;
    }
    expect(structure.taken.call).toEqual({ index: 0, name: 'get' });
  });

  it.each([
    ['tags', call],
    ['list', `${inList}}]`],
    ['bare', '{"name": "get", "parameters": {}}'],
    ['bare', withType],
  ] as const)('may take the place of a value: %s', (notation, wanted) => {
    const json = { type: 'object', additionalProperties: { type: ['integer', 'string'] } };
    const both = { ...shape(notation, false), json };
    for (const value of ['{"a": 1}', '{"name": "get", "b": 2}', '{"name": "get", "parameters": 3}'])
      expect(write(both, wanting(value))).toMatchObject({ text: value, calls: [], isEnded: true });
    expect(write(both, wanting(wanted))).toMatchObject({
      text: '',
      calls: [{ name: 'get', arguments: '{}' }],
    });
    const short = { ...shape(notation, false), choices: ['{"', '{"n'] };
    for (const value of short.choices) expect(write(short, wanting(value)).whole).toBe(value);
  });
});
