// A whole project for OpenAI's clients: one base URL and a project key. Checks run in this order: path, method, key, and
// only then the body.

import type { Clock } from '../../clock/index.js';
import {
  ApiError,
  BATCH_ENDPOINTS,
  detokenizeRequest,
  OPENAI_PATH,
  openAiRoutes,
  parseRequest,
  type ServedModelFacts,
  type Shape,
  tokenizeRequest,
  type tokenizerInfo,
} from '../../contract/index.js';
import { createApp, readJson, requestIdOf } from '../../http/index.js';
import type { Answer } from '../answers/answer.js';
import { isFromAnthropic, toClientResponse } from '../answers/client-headers.js';
import type { ModelResolver } from '../answers/models.js';
import {
  type CalledModels,
  createOperations,
  decode,
  findOperation,
  toResponse,
} from '../answers/operations.js';
import { askOnce } from '../answers/pieces.js';
import type { CloudDeps } from '../deps.js';
import { toApiError } from '../engine-faults.js';
import type { Jobs } from '../jobs/index.js';
import { createKeyCheck } from '../keys/check-key.js';
import type { Backend, GuardedBackend } from '../seams/backend.js';
import type { Db } from '../store/db.js';
import type { BackgroundResponses } from '../stored-answers/background.js';
import { chatOperations } from '../stored-answers/chats.js';
import { responseOperations } from '../stored-answers/operations.js';
import type { StoredAnswers } from '../stored-answers/stored-answers.js';
import type { Operate } from './batches/answer-line.js';
import type { BatchRow } from './batches/batch-rows.js';
import { createBatchRunner } from './batches/batch-runner.js';
import { batchOperations } from './batches/operations.js';
import type { Call, Operation, Operations } from './call.js';
import { fileOperations } from './file-operations.js';
import { fineTuningOperations } from './fine-tuning/operations.js';
import { graderOperations } from './grader-operations.js';
import { createProjectModels, type KeyScope, readScope } from './models.js';
import { uploadOperations } from './uploads/operations.js';

interface ProjectApiContext {
  db: Db;
  models: ModelResolver;
  answer: Answer;
  backend: GuardedBackend;
  jobs: Jobs;
  stored: Pick<StoredAnswers, 'of'>;
  background: BackgroundResponses;
  sampling: ServedModelFacts['sampling'];
  /** Throws for a request that was not meant for this cloud, or that a web page sent. */
  guard: (request: Request) => void;
  deps: Pick<CloudDeps, 'baseModel' | 'log' | 'tracer'>;
  clock: Clock;
}

interface ProjectApi {
  /** Null if the request is for another API. */
  fetch(request: Request): Promise<Response> | null;
  /** Continues what was interrupted. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export function createProjectApi(context: ProjectApiContext): ProjectApi {
  const { db, backend, jobs, guard, deps, clock } = context;
  const models = createProjectModels({ db, deps });
  const keys = createKeyCheck({ db, deps, clock });
  const admitted = new WeakMap<Request, Call & { operation: Operation }>();

  const batches = createBatchRunner({
    ...{ db, backend, clock, log: deps.log, operateFor },
    datasets: jobs.datasets,
    folders: jobs.folders,
    readScope: projectId => readScope(db, projectId),
    requireModel: models.require,
  });

  const operations: Record<Operation, (call: Call) => Promise<object>> = {
    ...createOperations(context),
    ...responseOperations(context),
    ...chatOperations(context),
    async deleteModel({ scope, id }) {
      const { target } = await models.find(scope, id);
      if (target.kind !== 'adapter' || target.adapter.kind !== 'final')
        throw new ApiError('invalid_value', 'Only the final adapter of a job can be deleted, with its job.', {
          param: 'model',
        });
      await jobs.deleteJob(scope, target.adapter.jobId);
      return { id, object: 'model', deleted: true };
    },
    ...tokenOperations(backend),
    ...fileOperations({ db, datasets: jobs.datasets, clock }),
    ...fineTuningOperations({ db, baseModel: deps.baseModel.name, models, jobs }),
    ...graderOperations({ backend, clock, log: deps.log, tracer: deps.tracer }),
    ...uploadOperations({ db, datasets: jobs.datasets, folders: jobs.folders, clock }),
    ...batchOperations({ db, runner: batches, clock }),
  };

  /** The models at this address, for one call. */
  function modelsFor({ request, scope, caller, named, isLowPriority = false }: ModelCaller): CalledModels {
    return {
      list: () => models.list(scope),
      get: async model => (await models.find(scope, model)).model,
      async serve(modelId) {
        const { model, target } = await models.require(scope, named === undefined ? modelId : decode(named));
        const served = await context.models.resolve(scope.orgId, target);
        const { signal } = request;
        return { ...served, name: model.id, caller, isLowPriority, signal, requestId: requestIdOf(request) };
      },
    };
  }

  /** A request of a batch runs the operation that a caller's does. */
  function operateFor({ endpoint, caller }: BatchRow, scope: KeyScope): Operate {
    const operation = BATCH_ENDPOINTS[endpoint];
    const { path, method } = openAiRoutes[operation];
    const headers = { 'content-type': 'application/json' };
    return async (content, signal) => {
      // Thousands of responses would push those of other callers out of the store.
      const { store } = content;
      const sent = operation === 'createResponse' ? { ...content, store: store ?? false } : content;
      const body = JSON.stringify(sent);
      const request = new Request(`http://batch${path}`, { method, headers, body, signal });
      const models = modelsFor({ request, scope, caller, isLowPriority: true });
      const storage = context.stored.of({ projectId: scope.projectId });
      const call = { request, id: '', itemId: '', scope, caller, storage, models };
      return toResponse(await operations[operation](call));
    };
  }

  async function admit(request: Request): Promise<void> {
    guard(request);
    const { path, model: named } = readAddress(request.url);
    const found = findOperation(openAiRoutes, request.method, path);
    const { id: caller, projectId } = await keys.projectKey(request);
    const scope = await readScope(db, projectId);
    const called = modelsFor({ request, scope, caller, named });
    const storage = context.stored.of({ projectId });
    admitted.set(request, { ...found, request, scope, caller, storage, models: called });
  }

  const app = createApp({ guard: admit, log: deps.log }).fallback(async request => {
    const { operation, ...call } = admitted.get(request)!;
    return toResponse(await operations[operation](call));
  });
  async function fetch(request: Request): Promise<Response> {
    const startedAt = clock.elapsed();
    const response = await app.fetch(request);
    const isAtMessages = readAddress(request.url).path.startsWith(openAiRoutes.createMessage.path);
    return toClientResponse(response, {
      operation: admitted.get(request)?.operation,
      isAnthropic: isAtMessages || isFromAnthropic(request),
      startedAt,
      queue: backend.queue,
      clock,
    });
  }

  return {
    fetch: request => (isBelow(request.url) ? fetch(request) : null),
    start: batches.start,
    close: batches.close,
  };
}

interface ModelCaller extends Pick<Call, 'request' | 'scope' | 'caller'> {
  /** The model that the path names, if any, which is escaped. */
  named?: string | undefined;
  isLowPriority?: boolean;
}

/** Azure's clients write no version, and evaluation tools look for the tokenizer without one. */
const UNVERSIONED = /^\/openai(?=\/(?!v1(?:\/|$)))/;

/** Azure's clients name the model in these paths. */
const WITH_MODEL = /^\/openai\/deployments\/(.+?)(?=\/(?:chat\/completions|completions|embeddings)\/?$)/;

/** The model is escaped. Without one in the path, that of the body counts. */
function readAddress(url: string): { path: string; model: string | undefined } {
  const { pathname } = new URL(url);
  const model = WITH_MODEL.exec(pathname)?.[1];
  return { path: pathname.replace(model === undefined ? UNVERSIONED : WITH_MODEL, OPENAI_PATH), model };
}

const isBelow = (url: string) =>
  URL.canParse(url) && `${readAddress(url).path}/`.startsWith(`${OPENAI_PATH}/`);

/** The tokenizer of the base model, which all of its adapters share. */
function tokenOperations(backend: Backend): Operations<'describeTokenizer' | 'tokenize' | 'detokenize'> {
  return {
    async describeTokenizer({ request }): Promise<Shape<typeof tokenizerInfo>> {
      const facts = await askOnce(backend, 'describe', {}, request.signal).catch(refuse('model'));
      return {
        bos_token: facts.bosToken ?? null,
        eos_token: facts.eosToken ?? null,
        pad_token: facts.padToken ?? null,
        chat_template: facts.chatTemplate ?? null,
      };
    },
    async tokenize({ request, caller }) {
      const parsed = parseRequest(tokenizeRequest, await readJson(request));
      const { prompt: text, add_special_tokens: addSpecialTokens = true } = parsed;
      const task = { text, addSpecialTokens, caller };
      const tokens = await askOnce(backend, 'encode', task, request.signal).catch(refuse('prompt'));
      return { tokens, count: tokens.length };
    },
    async detokenize({ request, caller }) {
      const { tokens: ids } = parseRequest(detokenizeRequest, await readJson(request));
      const task = { ids, caller };
      return { prompt: await askOnce(backend, 'decode', task, request.signal).catch(refuse('tokens')) };
    },
  };
}

const refuse = (field: string) => (error: unknown) => {
  throw toApiError(error, { conversation: field });
};
