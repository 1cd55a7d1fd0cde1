// Keys, slugs, IDs, the names of models, and paths made of them.
import { describe, expect, it } from 'vitest';
import {
  deploymentInput,
  fillPath,
  isSlug,
  isUuid,
  keyInput,
  matchesPath,
  parseRequest,
  readModelId,
  toModelId,
  uuid,
} from '../../lib/contract/index.js';

describe("a key's label", () => {
  it.each([
    ['  ci  ', 'ci'],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['🚀'.repeat(80), '🚀'.repeat(80)],
  ])('is trimmed, and has 1 to 80 characters after that, whatever they take in UTF-16: %s', (given, label) =>
    expect(parseRequest(keyInput, { label: given })).toEqual({ label }),
  );

  it.each([undefined, '', '   ', 'x'.repeat(81), '🚀'.repeat(81), 7, 'a\u001bb'])('is refused: %j', label => {
    const refused = expect.objectContaining({ code: 'invalid_value', param: 'label' });
    expect(() => parseRequest(keyInput, { label })).toThrow(refused);
  });
});

describe('a slug', () => {
  const read = (slug: string) =>
    parseRequest(deploymentInput, { slug, target: { kind: 'base_model', baseModel: 'svc/tiny-instruct' } });

  it.each(['ab', '0a', 'a--b', 'a1', '00', 'x'.repeat(50), `a${'-'.repeat(48)}b`])('may be %j', text => {
    expect(isSlug(text)).toBe(true);
    expect(read(text)).toMatchObject({ slug: text });
  });

  it.each([
    ...['', 'a', 'x'.repeat(51), '-ab', 'ab-', 'Ab', 'aB', 'a_b', 'a.b', 'é1', 'аb'],
    ...['ab\n', '\nab', ' ab', 'ab ', 'a b'],
  ])('may not be %j', text => {
    expect(isSlug(text)).toBe(false);
    const refused = expect.objectContaining({ status: 400, code: 'slug_invalid', param: 'slug' });
    expect(() => read(text)).toThrow(refused);
  });
});

describe('a UUID', () => {
  const WHOLE = '3F2a9c1e-7a51-4b8e-9d3a-0c2f5b6d7e80';

  it.each([
    ...[WHOLE, WHOLE.slice(0, 8), WHOLE.slice(1), `${WHOLE}0`, `${WHOLE}\n`, ` ${WHOLE}`, ''],
    ...[WHOLE.replaceAll('-', ''), WHOLE.replace('a', 'g'), '00000000-0000-0000-0000-000000000000'],
  ])('is by the rule what it is by the schema: %j', text =>
    expect(isUuid(text)).toBe(uuid.safeParse(text).success),
  );

  it('is whole, and nothing else', () => expect([isUuid(WHOLE), isUuid('zebra')]).toEqual([true, false]));
});

describe("the ID under which OpenAI's clients know an adapter", () => {
  const jobId = '1a2b3c4d-5e6f-4000-8000-000000000000';
  const base = { baseModel: 'svc/tiny', orgSlug: 'acme' };
  const final = { kind: 'final', jobId } as const;

  it('names the job and the step, which are read from it again', () => {
    const checkpoint = { kind: 'checkpoint', jobId, step: 40 } as const;
    const [last, early] = [final, checkpoint].map(adapter =>
      toModelId({ ...base, jobName: 'Triage', adapter }),
    );
    expect([last, early]).toEqual([`ft:svc/tiny:acme:triage:${jobId}`, `${last}:ckpt-step-40`]);
    const read = [last!, early!, 'svc/tiny', `${early}x`].map(readModelId);
    expect(read).toEqual([final, checkpoint, null, null]);
  });

  it.each([
    ['Über  Triage: v2!', 'ber-triage-v2'],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
    ['a'.repeat(90), 'a'.repeat(64)],
  ])('has the name of the job %s as a short word with single hyphens', (jobName, word) =>
    expect(toModelId({ ...base, jobName, adapter: final }).split(':')[3]).toBe(word),
  );
});

describe('a path', () => {
  it('is filled with escaped parameters, so that an id cannot climb out of its segment', () => {
    const path = fillPath('/v1/jobs/:id/artifacts/:name', { id: 'a/../b', name: 'x y?z#' });
    expect(path).toBe('/v1/jobs/a%2F..%2Fb/artifacts/x%20y%3Fz%23');
  });

  it.each(['', '.', '..'])('is not filled with %j, which would lead elsewhere', id =>
    expect(() => fillPath('/v1/endpoints/:id', { id })).toThrow('is not a valid ID or name'),
  );

  it.each([
    ['/v1/jobs/:id', '/v1/jobs/7', true],
    ['/v1/jobs/:id', '/v1/jobs/', false],
    ['/v1/jobs/:id', '/v1/jobs', false],
    ['/v1/jobs/:id', '/v1/jobs/7/', true],
    ['/v1/jobs/:id', '/v1/jobs/7/events', false],
    ['/v1/jobs', '/v1/jobs', true],
  ])('%s matches %s: %s', (path, pathname, expected) => expect(matchesPath(path, pathname)).toBe(expected));
});
