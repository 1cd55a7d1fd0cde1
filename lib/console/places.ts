// The four tabs, and their URL hashes in the browser.

export const PLACES = [
  { place: 'overview', label: 'Overview', hash: '#/' },
  { place: 'jobs', label: 'Jobs', hash: '#/jobs' },
  { place: 'playground', label: 'Playground', hash: '#/playground' },
  { place: 'endpoints', label: 'Endpoints', hash: '#/endpoints' },
] as const;

export type Place = (typeof PLACES)[number]['place'];

/** A tab and, in Jobs and Endpoints, possibly one job or endpoint. */
export interface Location {
  readonly place: Place;
  readonly id: string | null;
}

export function toHash({ place, id }: Location): string {
  const { hash } = PLACES.find(entry => entry.place === place)!;
  return id === null ? hash : `${hash}/${encodeURIComponent(id)}`;
}

/** Null for an unknown hash. */
export function parseHash(hash: string): Location | null {
  const [start, name = '', id, ...rest] = (hash || '#/').split('/');
  if (start !== '#') return null;
  const entry = PLACES.find(({ hash: known }) => known === `#/${name}`);
  const hasDetail = entry?.place === 'jobs' || entry?.place === 'endpoints';
  if (!entry || rest.length > 0 || (id && !hasDetail)) return null;
  return { place: entry.place, id: id ? decode(id) : null };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
