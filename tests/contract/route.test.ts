import { describe, expect, it } from 'vitest';
import { fillPath, matchesPath } from '../../lib/contract/index.js';

describe('a path', () => {
  it('is filled with escaped parameters, so that an id cannot climb out of its segment', () => {
    expect(fillPath('/v1/jobs/:id/artifacts/:name', { id: 'a/../b', name: 'x y?z#' })).toBe(
      '/v1/jobs/a%2F..%2Fb/artifacts/x%20y%3Fz%23',
    );
  });

  it.each(['', '.', '..'])('is not filled with %j, which would lead elsewhere', id => {
    expect(() => fillPath('/v1/endpoints/:id', { id })).toThrow('is not a valid ID or name');
  });

  it.each([
    ['/v1/jobs/:id', '/v1/jobs/7', true],
    ['/v1/jobs/:id', '/v1/jobs/', false],
    ['/v1/jobs/:id', '/v1/jobs', false],
    ['/v1/jobs/:id', '/v1/jobs/7/', true],
    ['/v1/jobs/:id', '/v1/jobs/7/events', false],
    ['/v1/jobs', '/v1/jobs', true],
  ])('%s matches %s: %s', (path, pathname, expected) => {
    expect(matchesPath(path, pathname)).toBe(expected);
  });
});
