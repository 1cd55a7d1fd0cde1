import { describe, expect, it } from 'vitest';
import { type Location, parseHash, TABS, toHash, viewHash } from '../../lib/console/index.js';

describe('tabs', () => {
  it('are four, in their order', () =>
    expect(TABS.map(({ label }) => label)).toEqual(['Overview', 'Jobs', 'Playground', 'Endpoints']));

  it.each<[string, Location]>([
    ['#/', { tab: 'overview', id: null }],
    ['#/jobs', { tab: 'jobs', id: null }],
    ['#/jobs/1a2b', { tab: 'jobs', id: '1a2b' }],
    ['#/jobs/1a2b/rows', { tab: 'jobs', id: '1a2b', rows: 'all' }],
    ['#/jobs/1a2b/evaluations', { tab: 'jobs', id: '1a2b', evaluations: true }],
    ['#/endpoints/1a2b/evaluations', { tab: 'endpoints', id: '1a2b', evaluations: true }],
    ['#/evaluations/1a2b', { tab: 'jobs', id: '1a2b', evaluation: true }],
    ['#/endpoints/1a2b/requests', { tab: 'endpoints', id: '1a2b', requests: true }],
    ['#/jobs/1a2b/rows/12', { tab: 'jobs', id: '1a2b', rows: 12 }],
    ['#/compare/1a2b,3c4d', { tab: 'jobs', id: null, compare: ['1a2b', '3c4d'] }],
    ['#/playground', { tab: 'playground', id: null }],
    ['#/playground?job=1a2b', { tab: 'playground', id: null, job: '1a2b' }],
    ['#/endpoints?job=1a2b', { tab: 'endpoints', id: null, job: '1a2b' }],
    ['#/endpoints', { tab: 'endpoints', id: null }],
    ['#/endpoints/a%2Fb', { tab: 'endpoints', id: 'a/b' }],
  ])('%s leads to %j and back', (hash, location) => {
    expect(parseHash(hash)).toEqual(location);
    expect(toHash(location)).toBe(hash);
  });

  it('a link that names a job leads to the same view as one that does not', () => {
    expect(viewHash(parseHash('#/playground?job=1a2b')!)).toBe('#/playground');
    expect(viewHash(parseHash('#/jobs/1a2b?log=1')!)).toBe('#/jobs/1a2b');
  });

  it.each<[what: string, hash: string, location: Location]>([
    ['the overview at first', '', { tab: 'overview', id: null }],
    ['the same place with a slash at the end', '#/jobs/', { tab: 'jobs', id: null }],
    ['a comparison of nothing', '#/compare', { tab: 'jobs', id: null, compare: [] }],
    ['what is named', '#/compare/a,,%62?log=1', { tab: 'jobs', id: null, compare: ['a', 'b'] }],
    ['a job where an address does not decode', '#/jobs/%zz', { tab: 'jobs', id: '%zz' }],
  ])('lead to %s: %s', (_, hash, location) => expect(parseHash(hash)).toEqual(location));

  it.each([
    ...['#/nope', '#/comparex', '#/playground/x', '#jobs', '/jobs'],
    ...['#/jobs/a/b', '#/jobs/a/rows/x', '#/jobs/a/rows/1/2', '#/jobs/a/requests'],
    ...['#/endpoints/a/rows', '#/endpoints/a/requests/x', '#/endpoints//requests'],
    ...['#/evaluations/', '#/evaluations/a/b', '#/jobs/a/evaluations/b', '#/playground/a/evaluations'],
  ])('%s leads nowhere', hash => expect(parseHash(hash)).toBeNull());
});
