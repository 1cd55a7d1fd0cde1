// The deployment edge: a deployment's operations at its own address. Checks run in the contract's order: deployment, path,
// method, key, and only then the body. Web pages of the deployment's allowed origins may call it.

import type { Clock } from '../../clock/index.js';
import {
  ApiError,
  DEFAULT_OPERATION,
  type OfferedRoute,
  OPERATION_NAMES,
  type Operation,
  operationOf,
  type RouteAddress,
  routesOf,
  type ServedModelFacts,
  type Target,
} from '../../contract/index.js';
import { createApp, requestIdOf, shorten } from '../../http/index.js';
import type { Answer, ModelCall } from '../answers/answer.js';
import { CLIENT_HEADERS, isFromAnthropic, toClientResponse } from '../answers/client-headers.js';
import { describeModel, type ModelResolver, type ResolvedModel } from '../answers/models.js';
import {
  type CalledModels,
  createOperations,
  findOperation,
  matchRoutes,
  toResponse,
} from '../answers/operations.js';
import {
  isLocalDomain,
  readDeployment,
  type StoredDeployment,
  toUrls,
} from '../deployments/deployment-rows.js';
import type { RequestCounts } from '../deployments/request-counts.js';
import { findTargetTask } from '../deployments/targets.js';
import type { CloudAddress, CloudDeps } from '../deps.js';
import { labelBefore, readHostName } from '../guard.js';
import type { KeptRequestStore } from '../kept-requests/kept-requests.js';
import { createKeyCheck, KEY_HEADERS } from '../keys/check-key.js';
import type { GuardedBackend } from '../seams/backend.js';
import type { Db } from '../store/db.js';
import type { BackgroundResponses } from '../stored-answers/background.js';
import { responseOperations } from '../stored-answers/operations.js';
import type { AnswerStorage, StoredAnswers, StoringCall } from '../stored-answers/stored-answers.js';
import { chooseSide, type Side, TARGET_HEADER } from './canary.js';
import { describeEndpoint, type EndpointDocument, findDocument, requireTask } from './endpoint-documents.js';
import { recordAnswers } from './record-answers.js';
import { createRefusalLog } from './refusal-log.js';

interface EdgeContext {
  db: Db;
  models: ModelResolver;
  answer: Answer;
  backend: GuardedBackend;
  kept: Pick<KeptRequestStore, 'keep'>;
  stored: Pick<StoredAnswers, 'of'>;
  background: BackgroundResponses;
  sampling: ServedModelFacts['sampling'];
  counts: Pick<RequestCounts, 'add' | 'addText' | 'addLateFailure'>;
  deps: Pick<CloudDeps, 'address' | 'log' | 'tracer' | 'version'>;
  clock: Clock;
  /** From 0 up to 1; draws which requests the canary gets. */
  random?: () => number;
}

/** Null if the request is not for a deployment. */
type Edge = (request: Request) => Promise<Response> | null;

/** Facts about a request, as far as they are known. */
interface Visit {
  path: string;
  deployment: OpenDeployment;
  /** The origin of the page that sent it, if the deployment allows it. */
  origin: string | null;
  /** The document about the endpoint, if one was requested. */
  document?: EndpointDocument;
  /** Which target it got, once that is known. */
  side?: Side;
  served?: Target;
  /** What the canary was asked. */
  body?: object;
  hasCanaryFailed?: boolean;
  /** Whether the answer has begun. */
  isAnswered?: boolean;
  /** Missing for preflights, documents and refused requests. */
  call?: StoringCall & { operation: OfferedRoute };
}

/** Without keys, callers cannot be told apart. */
const OPEN_TO_ALL: AnswerStorage = { reason: 'this endpoint takes requests without a key' };

export function createEdge(context: EdgeContext): Edge {
  const { db, models, backend, kept, stored, counts, deps, clock, random = Math.random } = context;
  const visits = new WeakMap<Request, Visit>();
  const keys = createKeyCheck({ db, deps, clock });
  const operations = { ...createOperations(context), ...responseOperations(context) };
  const logRefusal = createRefusalLog(deps.log, clock);

  async function admit(request: Request): Promise<void> {
    try {
      await receive(request);
    } catch (error) {
      logRefusal(error, request, visits.get(request)?.deployment);
      throw error;
    }
  }

  async function receive(request: Request): Promise<void> {
    const { path, base, ...address } = readEdgeAddress(request, deps.address)!;
    const deployment = await findOpen(db, address, base || request.headers.get('host')!);
    const visit: Visit = { path, deployment, origin: findAllowedOrigin(request, deployment.corsOrigins) };
    visits.set(request, visit);
    // Sent for every path; otherwise the page could not read why its request was refused.
    if (visit.origin !== null && isPreflight(request)) return;
    const document = findDocument(request.method, path);
    if (document) {
      if (!deployment.isPublic) await keys.deploymentKey(request, deployment.id);
      visit.document = document;
      return;
    }
    const explain = (missing: string) => explainMissing(deployment, missing);
    const found = findOperation(deployment.routes, request.method, path, { base, explain });
    const key = deployment.isPublic ? null : await keys.deploymentKey(request, deployment.id);
    // All callers of a public deployment count as one.
    const caller = key?.id ?? deployment.id;
    const serve = (body?: object) => openCall(request, visit, caller, { route: found.operation, body });
    const storage = key ? stored.of({ keyId: key.id }) : OPEN_TO_ALL;
    visit.call = { ...found, request, storage, models: toCalledModels(deployment.createdAt, serve) };
  }

  /** Looks up the current target, or the canary's for its share of the requests for texts. */
  async function openCall(
    request: Request,
    visit: Visit,
    caller: string,
    { route, body }: { route: OfferedRoute; body: object | undefined },
  ): Promise<ModelCall> {
    const { id: deploymentId, keepsRequests } = visit.deployment;
    const served = await resolveSide(request, visit, body);
    const record = recordAnswers({
      ...{ counts, kept, deploymentId, keepsRequests, clock },
      served: visit.served!,
      isCanary: visit.side === 'canary',
      operation: operationOf(route),
      model: served.name,
      isAnswered: () => visit.isAnswered === true,
    });
    const { signal } = request;
    return { ...served, caller, signal, requestId: requestIdOf(request), record };
  }

  /** A canary that cannot serve does not fail its share of the requests. */
  async function resolveSide(
    { headers }: Request,
    visit: Visit,
    body: object | undefined,
  ): Promise<ResolvedModel> {
    const { id: deploymentId, orgId, target, canary } = visit.deployment;
    const mayTry = canary && body && !visit.hasCanaryFailed;
    if (mayTry && chooseSide({ deploymentId, canary, headers, body, random }) === 'canary') {
      Object.assign(visit, { side: 'canary', served: canary.target, body } satisfies Partial<Visit>);
      try {
        return await models.resolve(orgId, canary.target);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }
    Object.assign(visit, { side: 'stable', served: target } satisfies Partial<Visit>);
    return models.resolve(orgId, target);
  }

  async function describe(deployment: OpenDeployment, document: EndpointDocument): Promise<object> {
    const task = await findTargetTask(db, deployment.target);
    if (document === 'task') return requireTask(task);
    const { url, pathUrl } = toUrls(deployment.slug, deps.address);
    return describeEndpoint({ ...deployment, url: pathUrl ?? url, version: deps.version, task });
  }

  const app = createApp({ guard: admit, log: deps.log }).fallback(async request => {
    const { call, deployment, document } = visits.get(request)!;
    if (document) return Response.json(await describe(deployment, document));
    if (!call) return answerPreflight(request, deployment.routes);
    const { operation, ...given } = call;
    const operate = async (from: Request) =>
      toResponse(await operations[operation]({ ...given, request: from }));
    try {
      return await operate(request);
    } catch (error) {
      // The engine is the first to read an adapter.
      const visit = visits.get(request)!;
      const isDamaged = error instanceof ApiError && error.code === 'adapter_damaged';
      if (!isDamaged || visit.side !== 'canary') throw error;
      visit.hasCanaryFailed = true;
      return await operate(repeat(request, visit.body));
    }
  });

  async function fetch(request: Request): Promise<Response> {
    const startedAt = clock.elapsed();
    const response = await app.fetch(request);
    const visit = visits.get(request);
    if (!visit) return response;
    // Callers without a valid key are not counted. A caller who left is no failure.
    const isFine = response.ok || request.signal.aborted;
    if (visit.call) counts.add(visit.deployment.id, visit.served ?? null, isFine);
    visit.isAnswered = response.ok;
    const told = await toClientResponse(response, {
      operation: visit.call?.operation,
      isAnthropic: isAtMessages(visit) || isFromAnthropic(request),
      startedAt,
      queue: backend.queue,
      clock,
    });
    if (visit.deployment.canary && visit.side) told.headers.set(TARGET_HEADER, visit.side);
    if (visit.origin !== null) allowOrigin(told, visit.origin);
    return told;
  }

  return request => (readEdgeAddress(request, deps.address) ? fetch(request) : null);
}

/** The same request, whose body was read. */
function repeat({ url, method, headers, signal }: Request, body: object | undefined): Request {
  const copied = new Headers(headers);
  for (const name of ['content-encoding', 'content-length']) copied.delete(name);
  return new Request(url, { method, headers: copied, body: JSON.stringify(body), signal });
}

/** Errors use Anthropic's format there. */
function isAtMessages({ path, deployment: { routes } }: Visit): boolean {
  return routes.createMessage !== undefined && path.startsWith(routes.createMessage.path);
}

const ALL_ROUTES = routesOf(OPERATION_NAMES);

/** Most clients begin with responses, which an endpoint offers only if its owner adds them. */
function explainMissing({ slug, operations }: OpenDeployment, path: string): string | null {
  const [missing] = matchRoutes(ALL_ROUTES, path);
  if (!missing) return null;
  const wanted = [...operations, operationOf(missing.operation)].filter(name => name !== DEFAULT_OPERATION);
  return `its owner can add it with \`svc endpoints update ${slug} --operations ${wanted.join(',')}\``;
}

/** An endpoint's models as callers see them: its own model, whatever name they send. */
function toCalledModels(createdAt: string, serve: (body?: object) => Promise<ModelCall>): CalledModels {
  /** Has the name that answers report in `model`. */
  const read = async () => describeModel((await serve()).name, createdAt, 'svc');

  return {
    serve: (_, body) => serve(body),
    list: async () => [await read()],
    async get(id) {
      const model = await read();
      if (model.id === id) return model;
      throw new ApiError('model_not_found', `This endpoint serves \`${model.id}\`, not \`${id}\`.`, {
        param: 'model',
      });
    },
  };
}

/** A request's deployment, as far as the edge needs it. */
interface OpenDeployment {
  id: string;
  slug: string;
  orgId: string;
  target: Target;
  canary: StoredDeployment['canary'];
  isPublic: boolean;
  createdAt: string;
  /** What it offers at its own address. */
  operations: readonly Operation[];
  routes: Partial<Record<OfferedRoute, RouteAddress>>;
  corsOrigins: readonly string[];
  keepsRequests: boolean;
}

/** A disabled deployment looks as if it never existed. `place`: where the caller named it, in a path or as a host. */
async function findOpen(db: Db, { slug }: Pick<EdgeAddress, 'slug'>, place: string): Promise<OpenDeployment> {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where('slug', '=', slug)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  if (!row) throw noDeployment(slug, place);
  const { id, orgId, target, canary, authMode, createdAt, operations, corsOrigins, keepRequests } =
    readDeployment(row);
  return {
    id,
    slug,
    orgId,
    target,
    canary,
    isPublic: authMode === 'none',
    createdAt,
    operations,
    routes: routesOf(operations),
    corsOrigins,
    keepsRequests: keepRequests,
  };
}

/** Every caller is told the same, whatever they looked for; the log has more. */
function noDeployment(slug: string, place: string): ApiError {
  const where = `${place.startsWith('/') ? 'path began with' : 'host was'} ${shorten(place)}`;
  return new ApiError(
    'deployment_not_found',
    `No endpoint with this slug is enabled on this cloud. "svc endpoints list" shows your endpoints and their state, "svc cloud status" your cloud's port, and "svc cloud logs" which slug was looked up.`,
    { cause: new Error(`No endpoint "${shorten(slug)}" is enabled. The request's ${where}.`) },
  );
}

interface EdgeAddress {
  slug: string;
  /** What precedes `path` in the request's path: `/d/<slug>`, or nothing if the host names the deployment. */
  base: string;
  /** Relative to the deployment's base URL. */
  path: string;
}

/**
 * Finds a request's deployment: by the label before the deployment domain or, if that domain is local to this machine, by
 * the path. Null for requests to the cloud's API. There, a path wins over a label, which may be the name of another program's
 * site, such as `app.localhost`, whose proxy keeps the host.
 */
export function readEdgeAddress(request: Request, address: CloudAddress): EdgeAddress | null {
  const host = readHostName(request);
  if (host === null || !URL.canParse(request.url)) return null;
  const { pathname } = new URL(request.url);
  const label = address.names.includes(host) ? null : labelBefore(address.deploymentDomain, host);
  if (label === null && !address.names.includes(host)) return null;
  const form = isLocalDomain(address.deploymentDomain) ? /^(\/d\/([^/]*))(.*)$/.exec(pathname) : null;
  if (form) return { slug: form[2]!, base: form[1]!, path: form[3]! };
  return label === null ? null : { slug: label, base: '', path: pathname };
}

/** How long browsers may remember a preflight's answer. */
const MAX_AGE_S = 600;

/** Always allowed, in addition to what the page requests: OpenAI's and Anthropic's clients add many headers. */
const USUAL_HEADERS = ['authorization', 'content-type', ...KEY_HEADERS];

/**
 * The origin of the page that sent the request, if it is allowed; null otherwise. Other origins get no CORS headers, so
 * their browsers block the response.
 */
function findAllowedOrigin({ headers }: Request, origins: readonly string[]): string | null {
  const origin = headers.get('origin');
  return origin !== null && origins.includes(origin) ? origin : null;
}

/** True for a CORS preflight. */
function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method');
}

function answerPreflight({ headers }: Request, routes: Readonly<Record<string, RouteAddress>>): Response {
  const methods = Object.values(routes).map(({ method }) => method);
  const requestedHeaders = (headers.get('access-control-request-headers') ?? '').toLowerCase().split(',');
  const named = requestedHeaders.map(name => name.trim()).filter(name => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': [...new Set(methods)].join(', '),
      'access-control-allow-headers': [...new Set([...USUAL_HEADERS, ...named])].join(', '),
      'access-control-max-age': `${MAX_AGE_S}`,
    },
  });
}

/** Without `Access-Control-Allow-Credentials`: keys travel in headers, and cookies are not used. */
function allowOrigin({ headers }: Response, origin: string): void {
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-expose-headers', CLIENT_HEADERS.join(', '));
  headers.append('vary', 'Origin');
}
