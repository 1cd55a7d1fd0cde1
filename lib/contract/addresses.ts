// Addresses and headers of both APIs, without schemas, so that browser pages load no more than they need.
import { ApiError } from './errors.js';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A call's address: a method and a path whose segments may be parameters. */
export interface RouteAddress {
  readonly method: Method;
  /** Segments that start with a colon are parameters. */
  readonly path: `/${string}`;
  /** Creates something and accepts an `Idempotency-Key`, so it can be retried safely. */
  readonly idempotencyKey?: true;
}

/** The parameter names of a path, as a type. */
export type PathParams<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathParams<`/${Tail}`>
    : Rest
  : never;

/** The path with its parameters filled in and escaped. Throws for values that would lead to another path. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (/^\.{0,2}$/.test(value))
      throw new ApiError('invalid_value', `"${value}" is not a valid ID or name.`, { param: name });
    return encodeURIComponent(value);
  });
}

/** True if `pathname` has the shape of `path`, whatever its parameters; a trailing slash is ignored. */
export function matchesPath(path: string, pathname: string): boolean {
  const wanted = path.split('/');
  const given = pathname.replace(/(?<=.)\/$/, '').split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  );
}

/** True for host names of URLs that never leave this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** Carries the per-launch token. The query parameter is accepted only by the event stream. */
export const STUDIO_TOKEN_HEADER = 'x-svc-studio-token';
export const STUDIO_TOKEN_QUERY = 'studioToken';
export const STUDIO_TOKEN_META = 'svc-studio-token';
/** Tells the page of one project from that of another on the same port. No secret. */
export const STUDIO_PROJECT_META = 'svc-studio-project';
export const DEFAULT_STUDIO_PORT = 4000;

/** Methods and paths of the loopback API. */
export const studioAddresses = {
  getIdentity: { method: 'GET', path: '/api/credentials' },
  getManifest: { method: 'GET', path: '/api/manifest' },
  getTrainStatus: { method: 'GET', path: '/api/train' },
  startTraining: { method: 'POST', path: '/api/train' },
  streamTrainOutput: { method: 'GET', path: '/api/train/output' },
  previewData: { method: 'POST', path: '/api/data/preview' },
  readDataRows: { method: 'GET', path: '/api/data/rows' },
  listJobs: { method: 'GET', path: '/api/jobs' },
  getJob: { method: 'GET', path: '/api/jobs/:id' },
  updateJob: { method: 'PATCH', path: '/api/jobs/:id' },
  listJobSettings: { method: 'POST', path: '/api/jobs/settings' },
  listJobRows: { method: 'GET', path: '/api/jobs/:id/rows' },
  listJobAnswers: { method: 'GET', path: '/api/jobs/:id/answers' },
  readJobLog: { method: 'GET', path: '/api/jobs/:id/log' },
  streamJobEvents: { method: 'GET', path: '/api/jobs/:id/events' },
  chat: { method: 'POST', path: '/api/inference/chat' },
  getOverview: { method: 'GET', path: '/api/overview' },
  listDeployments: { method: 'GET', path: '/api/deployments' },
  createDeployment: { method: 'POST', path: '/api/deployments', idempotencyKey: true },
  getDeployment: { method: 'GET', path: '/api/deployments/:id' },
  updateDeployment: { method: 'PATCH', path: '/api/deployments/:id' },
  listDeploymentKeys: { method: 'GET', path: '/api/deployments/:id/keys' },
  issueDeploymentKey: { method: 'POST', path: '/api/deployments/:id/keys', idempotencyKey: true },
  revokeDeploymentKey: { method: 'DELETE', path: '/api/deployments/:id/keys/:keyId' },
  listKeptRequests: { method: 'GET', path: '/api/deployments/:id/requests' },
  getKeptRequest: { method: 'GET', path: '/api/deployments/:id/requests/:requestId' },
  updateKeptRequest: { method: 'PATCH', path: '/api/deployments/:id/requests/:requestId' },
  deleteKeptRequest: { method: 'DELETE', path: '/api/deployments/:id/requests/:requestId' },
  listEvaluations: { method: 'GET', path: '/api/evaluations' },
  getEvaluation: { method: 'GET', path: '/api/evaluations/:id' },
  listEvaluationRows: { method: 'GET', path: '/api/evaluations/:id/rows' },
  deleteEvaluation: { method: 'DELETE', path: '/api/evaluations/:id' },
  getBaseModel: { method: 'GET', path: '/api/base-model' },
  getCluster: { method: 'GET', path: '/api/cluster' },
  getOpenApi: { method: 'GET', path: '/api/openapi.json' },
} as const satisfies Readonly<Record<string, RouteAddress>>;

/** Proves that a caller can read the local cloud's files. */
export const CLOUD_SECRET_HEADER = 'x-svc-cloud-secret';
export const DATASET_FILENAME_HEADER = 'x-filename';
/** On an upload: the columns to use in place of the standard ones. */
export const DATASET_COLUMNS_HEADER = 'x-svc-columns';
/** On a downloaded adapter: identifies the weights of its base model. */
export const BASE_MODEL_DIGEST_HEADER = 'x-svc-base-model-digest';

/** Request headers of an upload, with their descriptions. */
export const DATASET_HEADERS = {
  [DATASET_FILENAME_HEADER]: 'The file name, percent-encoded.',
  [DATASET_COLUMNS_HEADER]: 'The `columns` of the jobs that will read it, as percent-encoded JSON.',
};

/**
 * The key with which a caller identifies a request that creates something. A retry with the same key creates nothing new.
 */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** Throws `invalid_value` for an invalid key; null if there is none. */
export function parseIdempotencyKey(header: string | null): string | null {
  if (header === null || /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new ApiError('invalid_value', '`Idempotency-Key` must be 1–255 visible ASCII characters.', {
    param: IDEMPOTENCY_KEY_HEADER,
  });
}
