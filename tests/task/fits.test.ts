// Whether values fit a JSON Schema, as clients without the program's schemas check it.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findMisfit } from '../../lib/task/client/fits.js';

const sample = z.strictObject({
  id: z.int().min(1).max(9),
  share: z.number().gt(0).lt(1).optional(),
  name: z
    .string()
    .min(2)
    .max(3)
    .regex(/^\p{L}+$/u),
  kind: z.enum(['a', 'b']).nullable(),
  pair: z.tuple([z.string(), z.boolean()]),
  list: z
    .array(z.object({ x: z.number() }))
    .min(1)
    .max(2),
  map: z.record(z.string(), z.number()),
  any: z.union([
    z.object({ t: z.literal('n'), n: z.number() }),
    z.object({ t: z.literal('s'), s: z.string() }),
  ]),
});
const schema = z.toJSONSchema(sample) as Record<string, unknown>;
const fitting = {
  ...{ id: 1, name: 'éa', kind: null, pair: ['x', true], list: [{ x: 1 }], map: { __proto: 1 } },
  any: { t: 's', s: '' },
};

describe('a value', () => {
  it('fits', () => {
    expect(findMisfit(schema, fitting)).toBeNull();
    expect(findMisfit(schema, { ...fitting, share: 0.5, kind: 'b' })).toBeNull();
  });

  it.each<[object, string]>([
    [{ id: 0 }, 'id must be at least 1'],
    [{ id: 10 }, 'id must be at most 9'],
    [{ id: 1.5 }, 'id must be integer, not number'],
    [{ share: 0 }, 'share must be more than 0'],
    [{ share: 1 }, 'share must be less than 1'],
    [{ name: 'é' }, 'name must have at least 2 characters'],
    [{ name: 'éééé' }, 'name must have at most 3 characters'],
    [{ name: 'a1' }, 'name must match'],
    [{ kind: 'c' }, 'kind'],
    [{ pair: ['x', 1] }, 'pair[1] must be boolean, not number'],
    [{ list: [] }, 'list must have at least 1 entries'],
    [{ list: [{ x: 1 }, { x: '2' }] }, 'list[1].x must be number, not string'],
    [{ list: [{ x: 1 }, { x: 1 }, { x: 1 }] }, 'list must have at most 2 entries'],
    [{ map: { 'a b': null } }, 'map["a b"] must be number, not null'],
    [{ any: { t: 'n', s: '' } }, 'any fits none of its choices'],
    [{ more: 1 }, 'it must not have "more"'],
    [{ id: undefined }, 'id must be integer'],
  ])('does not: %j', (change, misfit) => {
    expect(findMisfit(schema, { ...fitting, ...change })).toContain(misfit);
  });

  it('matches a pattern as it is read: with the flag u, without it, or not at all', () => {
    const misfit = (pattern: string, text: string) => findMisfit({ type: 'string', pattern }, text);
    expect(misfit('^\\p{L}$', 'é')).toBeNull();
    expect(misfit('^[A-Z]{2}\\-\\d+$', 'AB-1')).toBeNull();
    expect(misfit('^[A-Z]{2}\\-\\d+$', 'AB1')).toContain('it must match');
    expect(misfit('(', 'x')).toBeNull();
  });

  it('is not checked without end', () => {
    const endless = { $ref: '#' };
    expect(findMisfit(endless, 1)).toBe('it is nested too deeply');
  });
});
