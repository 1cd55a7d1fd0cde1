// The four tabs, and their URL hashes in the browser.

export const TABS = [
  { tab: 'overview', label: 'Overview', hash: '#/' },
  { tab: 'jobs', label: 'Jobs', hash: '#/jobs' },
  { tab: 'playground', label: 'Playground', hash: '#/playground' },
  { tab: 'endpoints', label: 'Endpoints', hash: '#/endpoints' },
] as const;

export type Tab = (typeof TABS)[number]['tab'];

/** A tab and, in Jobs and Endpoints, possibly one job or endpoint. */
export interface Location {
  readonly tab: Tab;
  readonly id: string | null;
}

export function toHash({ tab, id }: Location): string {
  const { hash } = TABS.find(entry => entry.tab === tab)!;
  return id === null ? hash : `${hash}/${encodeURIComponent(id)}`;
}

/** Null for an unknown hash. */
export function parseHash(hash: string): Location | null {
  const [start, name = '', id, ...rest] = (hash || '#/').split('/');
  if (start !== '#') return null;
  const entry = TABS.find(({ hash: known }) => known === `#/${name}`);
  const hasDetail = entry?.tab === 'jobs' || entry?.tab === 'endpoints';
  if (!entry || rest.length > 0 || (id && !hasDetail)) return null;
  return { tab: entry.tab, id: id ? decode(id) : null };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
