// The deployment edge: what a deployment offers, at its own address. Checks come in the order of the contract:
// deployment, path, method, key, and only then the body.
import type { Clock } from '../../clock/index.js';
import { ApiError, type Model, type OfferedRoute, operationOf } from '../../contract/index.js';
import { createApp } from '../../http/index.js';
import type { AnswerChat } from '../answers/chat.js';
import { toMessagesRefusal } from '../answers/messages.js';
import type { ServedModel, ServedModels } from '../answers/models.js';
import {
  type CalledModels,
  createOperations,
  findOperation,
  type OperationCall,
  toResponse,
} from '../answers/operations.js';
import type { CloudDeps } from '../deps.js';
import type { KeptRequestStore } from '../kept-requests/kept-requests.js';
import { keepAnswers } from '../kept-requests/watch-answers.js';
import { createKeyCheck } from '../keys/check-key.js';
import type { InferenceBackend } from '../seams/backend.js';
import type { Db } from '../store/db.js';
import { allowOrigin, answerPreflight, findAllowedOrigin, isPreflight } from './cors.js';
import { findOpen, type OpenDeployment, readEdgeAddress } from './find-open.js';
import type { RequestCounts } from './request-counts.js';

interface EdgeContext {
  db: Db;
  models: ServedModels;
  answer: AnswerChat;
  backend: InferenceBackend;
  kept: Pick<KeptRequestStore, 'keep'>;
  counts: Pick<RequestCounts, 'add'>;
  deps: Pick<CloudDeps, 'address' | 'log'>;
  clock: Clock;
}

/** Null if the request is not for a deployment. */
type Edge = (request: Request) => Promise<Response> | null;

/** What is known of a request, as far as it got. */
interface Visit {
  path: string;
  deployment: OpenDeployment;
  /** The origin of the page that sent it, if the deployment allows it. */
  origin: string | null;
  /** Missing from a preflight, and from what was refused. */
  call?: OperationCall & { operation: OfferedRoute };
}

export function createEdge(context: EdgeContext): Edge {
  const { db, models, kept, counts, deps, clock } = context;
  const visits = new WeakMap<Request, Visit>();
  const keys = createKeyCheck({ db, deps, clock });
  const operations = createOperations(context);

  async function admit(request: Request): Promise<void> {
    const { path, ...address } = readEdgeAddress(request, deps.address)!;
    const deployment = await findOpen(db, address);
    const visit: Visit = { path, deployment, origin: findAllowedOrigin(request, deployment.corsOrigins) };
    visits.set(request, visit);
    // Answered for every path: otherwise the page could not read why its request is refused.
    if (visit.origin !== null && isPreflight(request)) return;
    const { operation, id } = findOperation(deployment.routes, request.method, path);
    const key = deployment.isPublic ? null : await keys.deploymentKey(request, deployment.id);
    const caller = key?.id ?? deployment.id;
    visit.call = { request, operation, id, models: modelsOf(deployment, caller, operation) };
  }

  /** All callers of a public deployment count as one. */
  function modelsOf(deployment: OpenDeployment, caller: string, route: OfferedRoute) {
    const { id, orgId, target, createdAt, keepsRequests } = deployment;
    const serve = async () => {
      const served = await models.resolve(orgId, target);
      const call = { deploymentId: id, operation: operationOf(route), model: served.name, clock };
      return { ...served, caller, ...(keepsRequests && { watch: keepAnswers(kept, call) }) };
    };
    return toCalledModels({ createdAt, serve });
  }

  const app = createApp({ guard: admit, log: deps.log }).fallback(async request => {
    const { call, deployment } = visits.get(request)!;
    if (!call) return answerPreflight(request, deployment.routes);
    const { operation, ...given } = call;
    return toResponse(await operations[operation](given));
  });

  async function fetch(request: Request): Promise<Response> {
    const response = await app.fetch(request);
    const visit = visits.get(request);
    if (!visit) return response;
    // Callers without a valid key are not counted.
    if (visit.call) counts.add(visit.deployment.id, response.ok);
    const told = isAtMessages(visit) && !response.ok ? await toMessagesRefusal(response) : response;
    if (visit.origin !== null) allowOrigin(told, visit.origin);
    return told;
  }

  return request => (readEdgeAddress(request, deps.address) ? fetch(request) : null);
}

/** Refusals have Anthropic's form there. */
function isAtMessages({ path, deployment: { routes } }: Visit): boolean {
  return routes.createMessage !== undefined && path.startsWith(routes.createMessage.path);
}

interface EndpointModel {
  /** When the endpoint was created. */
  createdAt: string;
  /** Looks up the target afresh. */
  serve(): Promise<ServedModel>;
}

/** An endpoint's models, as its callers see them: the one that it serves, whatever they name. */
function toCalledModels({ createdAt, serve }: EndpointModel): CalledModels {
  const created = Math.floor(Date.parse(createdAt) / 1000);
  /** It has the name that answers give in `model`. */
  const read = async (): Promise<Model> => ({
    id: (await serve()).name,
    object: 'model',
    created,
    owned_by: 'svc',
  });

  return {
    serve,
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
