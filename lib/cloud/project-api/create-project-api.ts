// A whole project for OpenAI's clients: one base URL and a key of the project. Checks come in this order: path, method,
// key, and only then the body.
import { ApiError, OPENAI_PATH, openAiRoutes } from '../../contract/index.js';
import { createApp, readJson } from '../../http/index.js';
import type { CloudDeps } from '../deps.js';
import type { ServedModel, ServedModels } from '../inference/served-model.js';
import type { Jobs } from '../jobs/index.js';
import { createKeyCheck } from '../keys/check-key.js';
import type { AnswerChat } from '../openai/answer-chat.js';
import { toMessagesRefusal } from '../openai/messages/error.js';
import { messagesFormat } from '../openai/messages/format.js';
import { readMessagesRequest } from '../openai/messages/read-request.js';
import { readChatRequest } from '../openai/read-request.js';
import { responsesFormat } from '../openai/responses/format.js';
import { readResponsesRequest } from '../openai/responses/read-request.js';
import type { Db } from '../store/db.js';
import type { Call, Operations } from './call.js';
import { fileOperations } from './files/operations.js';
import { findOperation, type Operation } from './find-operation.js';
import { fineTuningOperations } from './fine-tuning/operations.js';
import { createProjectModels, type KeyScope } from './models.js';

interface ProjectApiContext {
  db: Db;
  models: ServedModels;
  answer: AnswerChat;
  jobs: Jobs;
  /** Throws for a request that was not meant for this cloud, or that a web page sent. */
  guard: (request: Request) => void;
  deps: Pick<CloudDeps, 'baseModel' | 'log' | 'now'>;
}

/** Null if the request is for another API. */
type ProjectApi = (request: Request) => Promise<Response> | null;

export function createProjectApi(context: ProjectApiContext): ProjectApi {
  const { db, answer, jobs, guard, deps } = context;
  const now = deps.now ?? (() => new Date());
  const models = createProjectModels({ db, deps });
  const keys = createKeyCheck({ db, deps });
  const admitted = new WeakMap<Request, Call & { operation: Operation }>();

  const operations: Operations<Operation> = {
    listModels: async ({ scope }) => ({ object: 'list', data: await models.list(scope) }),
    getModel: async ({ scope, id }) => (await models.find(scope, id)).model,
    async deleteModel({ scope, id }) {
      const { target } = await models.find(scope, id);
      if (target.kind !== 'adapter' || target.adapter.kind !== 'final')
        throw new ApiError('invalid_value', 'Only the final adapter of a job can be deleted, with its job.', {
          param: 'model',
        });
      await jobs.deleteJob(scope, target.adapter.jobId);
      return { id, object: 'model', deleted: true };
    },
    async completeChat({ request, scope, caller }) {
      const asked = readChatRequest(await readJson(request));
      return answer(asked, await serve(scope, asked.model, caller), request.signal);
    },
    async createResponse({ request, scope, caller }) {
      const { asked, chat } = readResponsesRequest(await readJson(request));
      const served = await serve(scope, asked.model, caller);
      return answer(chat, served, request.signal, responsesFormat(asked));
    },
    async createMessage({ request, scope, caller }) {
      const { asked, chat } = readMessagesRequest(await readJson(request));
      return answer(chat, await serve(scope, asked.model, caller), request.signal, messagesFormat);
    },
    ...fileOperations({ db, datasets: jobs.datasets, now }),
    ...fineTuningOperations({ db, models, jobs }),
  };

  async function serve(scope: KeyScope, asked: unknown, caller: string): Promise<ServedModel> {
    const { model, target } = await models.require(scope, asked);
    return { ...(await context.models.resolve(scope.orgId, target)), name: model.id, caller };
  }

  async function admit(request: Request): Promise<void> {
    guard(request);
    const { operation, id } = findOperation(request);
    const { id: caller, projectId } = await keys.projectKey(request);
    admitted.set(request, { request, operation, id, caller, scope: await readScope(db, projectId) });
  }

  const app = createApp({ guard: admit, log: deps.log }).fallback(async request => {
    const { operation, ...call } = admitted.get(request)!;
    const output = await operations[operation](call);
    return output instanceof Response ? output : Response.json(output);
  });
  async function fetch(request: Request): Promise<Response> {
    const response = await app.fetch(request);
    const isAnthropic = new URL(request.url).pathname.startsWith(openAiRoutes.createMessage.path);
    return isAnthropic && !response.ok ? toMessagesRefusal(response) : response;
  }

  return request => (isBelow(request.url) ? fetch(request) : null);
}

const isBelow = (url: string) =>
  URL.canParse(url) && `${new URL(url).pathname}/`.startsWith(`${OPENAI_PATH}/`);

async function readScope(db: Db, projectId: string): Promise<KeyScope> {
  const { orgId, orgSlug } = await db
    .selectFrom('projects')
    .innerJoin('orgs', 'orgs.id', 'projects.org_id')
    .select(['orgs.id as orgId', 'orgs.slug as orgSlug'])
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow();
  return { projectId, orgId, orgSlug };
}
