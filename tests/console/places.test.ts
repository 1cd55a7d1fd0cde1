import { describe, expect, it } from 'vitest';
import { type Location, PLACES, parseHash, toHash } from '../../lib/console/index.js';

describe('places', () => {
  it('are four, in their order', () => {
    expect(PLACES.map(({ label }) => label)).toEqual(['Overview', 'Jobs', 'Playground', 'Endpoints']);
  });

  it.each<[string, Location]>([
    ['#/', { place: 'overview', id: null }],
    ['#/jobs', { place: 'jobs', id: null }],
    ['#/jobs/1a2b', { place: 'jobs', id: '1a2b' }],
    ['#/playground', { place: 'playground', id: null }],
    ['#/endpoints', { place: 'endpoints', id: null }],
    ['#/endpoints/a%2Fb', { place: 'endpoints', id: 'a/b' }],
  ])('%s leads to %j and back', (hash, location) => {
    expect(parseHash(hash)).toEqual(location);
    expect(toHash(location)).toBe(hash);
  });

  it('begins at the overview, and a slash at the end changes nothing', () => {
    expect(parseHash('')).toEqual({ place: 'overview', id: null });
    expect(parseHash('#/jobs/')).toEqual({ place: 'jobs', id: null });
  });

  it.each(['#/nope', '#/playground/x', '#/jobs/a/b', '#jobs', '/jobs'])('%s leads nowhere', hash => {
    expect(parseHash(hash)).toBeNull();
  });

  it('survives an address that does not decode', () => {
    expect(parseHash('#/jobs/%zz')).toEqual({ place: 'jobs', id: '%zz' });
  });
});
