// Answers that are closed because few tokens are left: they fit their schema all the same.
import { describe, expect, it } from 'vitest';
import { argmax } from '../../../lib/engine/generate/sampler.js';
import { createRandom } from '../../../lib/engine/random.js';
import { openGrammar, toBytes } from '../../../lib/engine/structure/grammar/index.js';
import type { State } from '../../../lib/engine/structure/grammar/machine.js';
import { createStructure, type JsonSchema } from '../../../lib/engine/structure/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { randomDocument } from './random-schema.js';
import { isValid, logitsFor, randomLogits, table, text, wanting, write } from './writing.js';

describe('an answer with few tokens left', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('is closed so that it fits its schema, for 150 random schemas and as few tokens as possible', () => {
    const { next } = createRandom(3, 7);
    let cut = 0;
    for (let seed = 0; seed < 150; seed++) {
      const schema = randomDocument(next);
      const grammar = openGrammar(table, schema, { part: 'json' });
      const least = grammar.closing(grammar.start)!.length;
      for (const most of [least, least + 3, least + 20]) {
        const written = write({ json: schema }, randomLogits(seed), most);
        if (written.isCut) cut++;
        const fits = isValid(schema, JSON.parse(written.text));
        expect(fits, `${most}: ${JSON.stringify(schema)}: ${written.text}`).toBe(true);
      }
    }
    expect(cut).toBeGreaterThan(100);
  });

  const long = { type: 'string', minLength: 4 };
  const quarters = { type: 'number', minimum: 10.1, maximum: 10.3, multipleOf: 0.25 };
  const small = 1.2345678901234568e-5;
  const recursive = { anyOf: [{ type: 'array', items: { $ref: '#' }, minItems: 1 }, { type: 'null' }] };
  it.each<[JsonSchema, begun: string, closing: string]>([
    [{ type: 'string' }, '"aa', '"'],
    [{ type: 'string' }, '"\\', 'n"'],
    [{ type: 'string' }, '"\\u', '0000"'],
    [long, '"\\ud83d', '\\udc00xxx"'],
    [long, '"é\\u00', '00xx"'],
    [{ type: 'string', pattern: '^[aé]b' }, '"\\', 'u0061b"'],
    [{ type: 'string', pattern: '^[aé]b' }, '"\\u00e', '9b"'],
    [{ type: 'string', pattern: '^😀' }, '"\\ud83d\\u', 'de00"'],
    [long, '"é', 'xxx"'],
    [{ type: 'object', properties: { a: long, b: true }, required: ['a'] }, '{', '"a":"xxxx"}'],
    [{ type: 'object', properties: { a: true }, required: ['a'] }, '', '{"a":0}'],
    [{ type: 'array', items: { type: 'string', pattern: '^b{3}c' }, minItems: 2 }, '["bb', 'bc","bbbc"]'],
    [{ type: 'string', pattern: 'é"é' }, '"zé', '\\"é"'],
    [{ type: 'string', format: 'date' }, '"2', '000-01-01"'],
    [{ type: 'object', propertyNames: { maxLength: 2 }, additionalProperties: long }, '{"', '":"xxxx"}'],
    [{ type: 'integer', minimum: 250 }, '', '250'],
    [{ type: 'integer', maximum: -250, multipleOf: 7 }, '-3', '99'],
    [quarters, '', '10.25'],
    [quarters, '10.', '25'],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 1e-9 }, '', '0.000000001'],
    [{ type: 'number', exclusiveMaximum: 0, minimum: -1e-9 }, '', '-0.000000001'],
    [{ type: 'number', minimum: 1e-6, maximum: 9e-6, multipleOf: 1e-6 }, '0', '.000001'],
    [{ type: 'number', minimum: 1e-20, maximum: 2e-20 }, '', '0.00000000000000000001'],
    [{ type: 'number', minimum: small, maximum: small }, '', '0.000012345678901234568'],
    [recursive, '[[', 'null]]'],
    [{ enum: ['long', 'no'] }, '', '"no"'],
  ])('of %j is closed after %s with %s', (json, begun, closing) => {
    const grammar = openGrammar(table, json, { part: 'json' });
    const state = text.encode(begun).reduce<State>((at, id) => grammar.take(at, id)!, grammar.start);
    expect(Buffer.from(toBytes(grammar.closing(state)!)).toString()).toBe(closing);
  });

  it('shares the text that closes it with the other states of a long string', () => {
    const grammar = openGrammar(table, { type: 'string', minLength: 10_000 }, { part: 'json' });
    const ids = text.encode('"hello world');
    const closings = ids.map((_, i) => {
      const state = ids.slice(0, i + 1).reduce<State>((at, id) => grammar.take(at, id)!, grammar.start);
      return grammar.closing(state)!.parts[0] as Uint8Array;
    });
    expect(new Set(closings.map(({ buffer }) => buffer)).size).toBe(1);
    expect(closings.at(-1)).toHaveLength(10_000 - 'hello world'.length + 1);
  });

  it('is closed in the middle of a character', () => {
    const [first] = Buffer.from('é');
    for (const json of [
      { type: 'string' },
      { type: 'string', pattern: '^é' },
      { additionalProperties: true },
    ]) {
      const structure = createStructure(table, { json });
      const begun = [...Buffer.from('type' in json ? '"' : '{"'), first!];
      const ids = Array.from({ length: table.size }, (_, id) => id);
      const isByte = (byte: number) => (id: number) =>
        table.bytesOf(id).length === 1 && table.bytesOf(id)[0] === byte;
      const written = begun.map(byte => structure.choose(logitsFor(ids.find(isByte(byte))!), argmax, 100));
      for (let left = 12; !structure.isEnded; left--)
        written.push(structure.choose(logitsFor(written[1]!), argmax, left));
      expect(text.decode(written)).not.toContain('\ufffd');
    }
  });

  it('is the arguments of a call, which is closed, too', () => {
    const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const functions = [{ name: 'f', schema, isStrict: true }];
    const calls = { functions, isRequired: true, parallel: true, notation: 'tags' } as const;
    const wanted = `<tool_call>\n{"name": "f", "arguments": {"text": "${'é'.repeat(200)}`;
    const eager = wanting(wanted);
    const written = write({ calls }, step => eager(step).map(logit => logit * 10), 150);
    expect(written.isCut).toBe(true);
    expect(JSON.parse(written.calls[0]!.arguments).text).toMatch(/^é+$/);
    expect(written.whole).toMatch(/"\s*}}\n<\/tool_call>$/);
  });

  it('ends what has no limit sooner, the more of the tokens it has taken', () => {
    const wanted = `{"a": "${'é'.repeat(400)}`;
    const json = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a', 'b'],
    };
    const written = write({ json }, wanting(wanted), 400);
    expect(written).toMatchObject({ isCut: false, isEnded: true });
    const { a } = JSON.parse(written.text) as { a: string };
    expect(a.length / 400).toBeCloseTo(0.3, 1);
    const limited = { type: 'string', maxLength: 190 };
    const kept = write({ json: { ...json, properties: { a: limited, b: limited } } }, wanting(wanted), 400);
    expect(JSON.parse(kept.text).a).toHaveLength(190);
    const map = { type: 'object', additionalProperties: { type: 'integer', maximum: 9 } };
    const named = write({ json: map }, wanting(`{"${'é'.repeat(400)}`), 400);
    expect(named).toMatchObject({ isCut: false, isEnded: true });
    const items = { type: 'array', items: { type: 'integer', maximum: 9 } };
    const list = write({ json: items }, wanting(`[${'1,'.repeat(300)}`), 200);
    expect(list).toMatchObject({ isCut: false, isEnded: true });
  });

  it('is cut as it is if no value is that short', () => {
    const written = write({ json: { type: 'string', minLength: 90 } }, wanting('"aaaaaaaaaaaaaaaaaaaa'), 8);
    expect(written).toMatchObject({ isEnded: false, isCut: false });
  });
});
