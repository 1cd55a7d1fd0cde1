// Formats: what is written under them is taken by zod, which writes a pattern beside most of them, and by ajv.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fitsFormat } from '../../../lib/engine/structure/grammar/checked-texts.js';
import { toGrammar } from '../../../lib/engine/structure/grammar/json-schema.js';
import { createMachine } from '../../../lib/engine/structure/grammar/machine.js';
import type { JsonSchema } from '../../../lib/engine/structure/index.js';
import { createRandom } from '../../support/random.js';

const ajv = formats.default(new Ajv2020({ strict: false }));

/** Writes a value of a schema, a random byte after the other. */
function write(schema: JsonSchema, seed: number): unknown {
  const { next } = createRandom(seed);
  const machine = createMachine(toGrammar(schema));
  const bytes: number[] = [];
  let state = machine.start!;
  while (!state.isWhole) {
    const following = Array.from({ length: 256 }, (_, byte) => [byte, machine.step(state, byte)] as const);
    const likely = following.filter(([byte, after]) => after && (byte < 0x7f || next() < 0.1));
    const ending = likely.filter(([byte]) => byte === 0x22);
    const among = ending.length > 0 && next() < 0.3 ? ending : likely.length > 0 ? likely : following;
    const [byte, after] = among[Math.floor(next() * among.length)]!;
    if (!after) continue;
    bytes.push(byte);
    state = after;
  }
  return JSON.parse(Buffer.from(bytes).toString());
}

const ZOD: Readonly<Record<string, z.ZodType>> = {
  email: z.email(),
  url: z.url(),
  // `z.httpUrl()` does not say in its schema that it takes no host without a dot.
  'url of http': z.url({ protocol: /^https?$/ }),
  uuid: z.uuid(),
  uuidv4: z.uuidv4(),
  guid: z.guid(),
  date: z.iso.date(),
  datetime: z.iso.datetime(),
  'datetime with an offset': z.iso.datetime({ offset: true }),
  time: z.iso.time(),
  duration: z.iso.duration(),
  hostname: z.hostname(),
  ipv4: z.ipv4(),
  ipv6: z.ipv6(),
  cidrv4: z.cidrv4(),
  base64url: z.base64url(),
  cuid: z.cuid(),
  cuid2: z.cuid2(),
  ulid: z.ulid(),
  nanoid: z.nanoid(),
  e164: z.e164(),
  'a pattern': z.string().regex(/^[A-Z]{3}-\d{4}$/),
  'a start and an end': z.string().startsWith('svc-').endsWith('.ts').max(30),
  'lower case': z.string().lowercase().min(3).max(9),
  'a record of patterns': z.record(z.string().regex(/^key_\d$/), z.boolean()),
  'a record of listed names': z.record(z.enum(['a', 'b']), z.iso.date()),
};

describe('a format', () => {
  it.each(Object.entries(ZOD))('of zod is written as zod takes it: %s', (_, type) => {
    const schema = z.toJSONSchema(type) as { maxLength?: number };
    for (let seed = 0; seed < 6; seed++) {
      const value = write(schema as JsonSchema, seed);
      expect(type.safeParse(value), JSON.stringify(value)).toMatchObject({ success: true });
    }
  });

  it.each([
    'date',
    'time',
    'date-time',
    'duration',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
    'uuid',
    'json-pointer',
    'relative-json-pointer',
  ])('of the standard is written as ajv takes it: %s', format => {
    const schema = { type: 'string', format };
    for (let seed = 0; seed < 12; seed++) {
      const value = write(schema, seed);
      expect(ajv.validate(schema, value), JSON.stringify(value)).toBe(true);
    }
  });

  it.each([
    ['uri', 'http://localhost:11434/v1'],
    ['uri', 'http://redis:65535/0'],
    ['uri', 'https://user:p%40w@host.example.com/a/b?c=d#e'],
    ['uri-reference', '/a/b'],
    ['uri-reference', '../a/b:c?d=e#f'],
    ['uri-reference', '#part'],
    ['uri-reference', 'https://example.com/a'],
    ['hostname', 'localhost'],
    ['hostname', 'db-1'],
    ['hostname', 'a.xn--p1ai'],
    ['email', "o'brien@x.com"],
    ['duration', 'P1DT30M'],
    ['duration', 'P1Y2M10DT2H30M'],
    ['ipv6', '::ffff:1.2.3.4'],
    ['uuid', '00000000-0000-0000-0000-000000000000'],
    ['uuid', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ])('%s has what is usual: %s', (format, text) => {
    expect(fitsFormat(text, format)).toBe(true);
    expect(ajv.validate({ format }, text)).toBe(true);
  });

  it.each([
    ['uri', 'http://localhost:65536/'],
    ['uri', 'http://1.2.3.999/'],
    ['uri', '/a/b'],
    ['uri-reference', '//'],
    ['uri-reference', 'a:b'],
    ['uri-reference', ''],
    ['hostname', 'a-'],
    ['duration', 'P'],
    ['duration', 'PT'],
  ])('%s has nothing else: %j', (format, text) => {
    expect(fitsFormat(text, format)).toBe(false);
  });

  it.each([4000, 8000, 2_000_000_000])('may have up to %i characters', maxLength => {
    const schema = { type: 'string', format: 'uri', maxLength };
    const value = write(schema, maxLength);
    expect(ajv.validate(schema, value), JSON.stringify(value)).toBe(true);
  });

  it('that JSON schemas do not know says nothing', () => {
    expect(write({ type: 'string', format: 'phone-of-mine', maxLength: 0 }, 1)).toBe('');
  });
});
