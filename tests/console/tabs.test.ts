import { describe, expect, it } from 'vitest';
import { type Location, parseHash, TABS, toHash } from '../../lib/console/index.js';

describe('tabs', () => {
  it('are four, in their order', () => {
    expect(TABS.map(({ label }) => label)).toEqual(['Overview', 'Jobs', 'Playground', 'Endpoints']);
  });

  it.each<[string, Location]>([
    ['#/', { tab: 'overview', id: null }],
    ['#/jobs', { tab: 'jobs', id: null }],
    ['#/jobs/1a2b', { tab: 'jobs', id: '1a2b' }],
    ['#/jobs/1a2b/rows', { tab: 'jobs', id: '1a2b', rows: 'all' }],
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

  it('begins at the overview, and a slash at the end changes nothing', () => {
    expect(parseHash('')).toEqual({ tab: 'overview', id: null });
    expect(parseHash('#/jobs/')).toEqual({ tab: 'jobs', id: null });
  });

  it('compares what is named, even if that is nothing', () => {
    expect(parseHash('#/compare')).toEqual({ tab: 'jobs', id: null, compare: [] });
    expect(parseHash('#/compare/a,,%62?log=1')).toEqual({ tab: 'jobs', id: null, compare: ['a', 'b'] });
  });

  it.each([
    '#/nope',
    '#/comparex',
    '#/playground/x',
    '#/jobs/a/b',
    '#/jobs/a/rows/x',
    '#/jobs/a/rows/1/2',
    '#/endpoints/a/rows',
    '#/jobs/a/requests',
    '#/endpoints/a/requests/x',
    '#/endpoints//requests',
    '#jobs',
    '/jobs',
  ])('%s leads nowhere', hash => {
    expect(parseHash(hash)).toBeNull();
  });

  it('survives an address that does not decode', () => {
    expect(parseHash('#/jobs/%zz')).toEqual({ tab: 'jobs', id: '%zz' });
  });
});
