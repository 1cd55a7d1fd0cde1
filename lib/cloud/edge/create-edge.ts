// The deployment edge: chat completions at a deployment's own address. Checks come in the order of the contract:
// deployment, path, method, key, and only then the body.
import { ApiError, edgeRoutes, matchesPath, type Target } from '../../contract/index.js';
import { createApp, readJson, unknownUrl, wrongMethod } from '../../http/index.js';
import { toTarget } from '../deployments/to-deployment.js';
import type { CloudDeps } from '../deps.js';
import type { ServedModels } from '../inference/served-model.js';
import { createKeyCheck } from '../keys/check-key.js';
import type { AnswerChat } from '../openai/answer-chat.js';
import { readChatRequest } from '../openai/read-request.js';
import type { Db } from '../store/db.js';
import { type EdgeAddress, readEdgeAddress } from './address.js';

interface EdgeContext {
  db: Db;
  models: ServedModels;
  answer: AnswerChat;
  deps: Pick<CloudDeps, 'address' | 'log' | 'now'>;
}

/** Null if the request is not for a deployment. */
type Edge = (request: Request) => Promise<Response> | null;

const { method, path } = edgeRoutes.createChatCompletion;

interface OpenDeployment {
  id: string;
  orgId: string;
  target: Target;
  isPublic: boolean;
}

interface Admitted extends OpenDeployment {
  /** The key that was sent; all callers of a public deployment count as one. */
  caller: string;
}

export function createEdge({ db, models, answer, deps }: EdgeContext): Edge {
  const admitted = new WeakMap<Request, Admitted>();
  const keys = createKeyCheck({ db, deps });

  async function admit(request: Request): Promise<void> {
    const given = readEdgeAddress(request, deps.address)!;
    const deployment = await findOpen(db, given);
    if (!matchesPath(path, given.path)) throw unknownUrl(given.path || '/', `: only ${path} is available`);
    if (request.method !== method) throw wrongMethod(request.method, path, method);
    const key = deployment.isPublic ? null : await keys.deploymentKey(request, deployment.id);
    admitted.set(request, { ...deployment, caller: key?.id ?? deployment.id });
  }

  const app = createApp({ guard: admit, log: deps.log }).fallback(async request => {
    const { orgId, target, caller } = admitted.get(request)!;
    const asked = readChatRequest(await readJson(request));
    const served = await models.resolve(orgId, target);
    return answer(asked, { ...served, caller }, request.signal);
  });
  return request => (readEdgeAddress(request, deps.address) ? app.fetch(request) : null);
}

/** A disabled deployment looks the same as one that never existed. */
async function findOpen(db: Db, { slug }: EdgeAddress): Promise<OpenDeployment> {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where('slug', '=', slug)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  if (!row) throw new ApiError('deployment_not_found', 'There is no endpoint at this address.');
  return { id: row.id, orgId: row.org_id, target: toTarget(row), isPublic: row.auth_mode === 'none' };
}
