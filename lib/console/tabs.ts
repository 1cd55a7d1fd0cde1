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
  /** Shows the job's rows in place of its page: all, or those of a step. */
  readonly rows?: 'all' | number;
  /** Shows a comparison of these runs, by ID or prefix, in place of the list. */
  readonly compare?: readonly string[];
  /** In Playground and Endpoints: the job whose final adapter to chat with or publish. */
  readonly job?: string;
  /** Shows a preview of the training data in place of the overview. */
  readonly data?: true;
  /** Shows the cluster that the cloud trains on in place of the overview. */
  readonly cluster?: true;
  /** Shows the endpoint's kept requests in place of its page. */
  readonly requests?: true;
  /** Shows the evaluations of the job or endpoint in place of its page. */
  readonly evaluations?: true;
  /** In Jobs: `id` is an evaluation's. */
  readonly evaluation?: true;
}

const DATA_HASH = '#/data';
const CLUSTER_HASH = '#/cluster';
const COMPARE_HASH = '#/compare';
const EVALUATION_HASH = '#/evaluations';

export function toHash(location: Location): string {
  const { tab, id, rows, compare, requests, job, data, cluster, evaluation, evaluations } = location;
  if (cluster) return CLUSTER_HASH;
  if (data) return DATA_HASH;
  if (compare) return `${COMPARE_HASH}/${compare.map(encodeURIComponent).join(',')}`;
  if (evaluation) return `${EVALUATION_HASH}/${encodeURIComponent(id!)}`;
  const { hash } = TABS.find(entry => entry.tab === tab)!;
  if (id === null) return job === undefined ? hash : `${hash}?job=${encodeURIComponent(job)}`;
  const page = `${hash}/${encodeURIComponent(id)}`;
  if (requests) return `${page}/requests`;
  if (evaluations) return `${page}/evaluations`;
  if (rows === undefined) return page;
  return rows === 'all' ? `${page}/rows` : `${page}/rows/${rows}`;
}

/** The hash of the view itself, without what a link asks it to do. */
export function viewHash({ job, ...view }: Location): string {
  return toHash(view);
}

/** Null for an unknown hash. The view handles what follows a question mark. */
export function parseHash(hash: string): Location | null {
  const [path, query = ''] = hash.split('?') as [string, string?];
  if (path === DATA_HASH) return { tab: 'overview', id: null, data: true };
  if (path === CLUSTER_HASH) return { tab: 'overview', id: null, cluster: true };
  if (path === COMPARE_HASH || path?.startsWith(`${COMPARE_HASH}/`))
    return { tab: 'jobs', id: null, compare: parseNames(path.slice(COMPARE_HASH.length + 1)) };
  if (path.startsWith(`${EVALUATION_HASH}/`)) return parseEvaluation(path.slice(EVALUATION_HASH.length + 1));
  const [start, name = '', id, ...rest] = (path || '#/').split('/');
  if (start !== '#') return null;
  const entry = TABS.find(({ hash: known }) => known === `#/${name}`);
  const hasDetail = entry?.tab === 'jobs' || entry?.tab === 'endpoints';
  if (!entry || (id && !hasDetail)) return null;
  const job = takesJob(entry.tab) && !id ? new URLSearchParams(query).get('job') : null;
  if (rest.length === 0) return { tab: entry.tab, id: id ? decode(id) : null, ...(job && { job }) };
  if (id && entry.tab === 'endpoints' && rest.length === 1 && rest[0] === 'requests')
    return { tab: entry.tab, id: decode(id), requests: true };
  if (id && hasDetail && rest.length === 1 && rest[0] === 'evaluations')
    return { tab: entry.tab, id: decode(id), evaluations: true };
  const rows = parseRows(rest);
  return rows === null || !id || entry.tab !== 'jobs' ? null : { tab: entry.tab, id: decode(id), rows };
}

function parseEvaluation(id: string): Location | null {
  return id === '' || id.includes('/') ? null : { tab: 'jobs', id: decode(id), evaluation: true };
}

function parseRows([part, step, ...rest]: string[]): 'all' | number | null {
  if (part !== 'rows' || rest.length > 0) return null;
  if (!step) return 'all';
  return /^[1-9]\d{0,9}$/.test(step) ? Number(step) : null;
}

function takesJob(tab: Tab): boolean {
  return tab === 'playground' || tab === 'endpoints';
}

/** With fewer than two names, the comparison view says what is missing. */
function parseNames(text: string): string[] {
  return text
    .split(',')
    .map(decode)
    .filter(name => name.trim() !== '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface TabBar {
  /** One for each tab. */
  readonly labels: readonly string[];
  /** Studio's address in the longest form that fits next to the tabs. */
  readonly address: string | undefined;
}

/** The tabs in one terminal row, each followed by a space; the current one always has its label. */
export function tabBar(current: Tab, studioUrl: string | null, width: number): TabBar {
  const lengthOf = (labels: readonly string[]) => labels.reduce((sum, { length }) => sum + length + 1, 1);
  const named = TABS.map(({ label }, index) => ` ${index + 1} ${label} `);
  const isWhole = lengthOf(named) <= width;
  const labels = TABS.map(({ tab }, index) =>
    isWhole || tab === current ? named[index]! : ` ${index + 1} `,
  );
  const room = width - lengthOf(labels) - 2;
  return { labels, address: addressForms(studioUrl).find(({ length }) => length <= room) };
}

/** From the longest to the shortest. */
function addressForms(studioUrl: string | null): string[] {
  if (studioUrl === null) return [];
  const { host, port } = new URL(studioUrl);
  return [studioUrl, host, ...(port === '' ? [] : [`:${port}`])];
}
