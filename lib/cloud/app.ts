// The whole cloud as a function of a request. The edge runs before the API.
import { join } from 'node:path';
import { type Repeating, realClock } from '../clock/index.js';
import { type Collected, cloudRoutes, edgeRoutes } from '../contract/index.js';
import { createApp, unknownUrl } from '../http/index.js';
import { type Activity, cloudHandlers } from './about/cloud-handlers.js';
import { clusterHandlers, overviewHandlers } from './about/overview-handlers.js';
import { createAnswer } from './answers/answer.js';
import { createModelResolver } from './answers/models.js';
import { chatHandlers, createAnswerSample } from './answers/own-chats.js';
import { createAccess } from './auth/authorize.js';
import { authHandlers, projectHandlers } from './auth/handlers.js';
import { openVerifier } from './auth/oauth.js';
import { createServingApi } from './backends/door.js';
import { deploymentHandlers, keptRequestHandlers } from './deployments/deployment-handlers.js';
import { isLocalDomain } from './deployments/deployment-rows.js';
import { createRequestCounts } from './deployments/request-counts.js';
import type { CloudDeps } from './deps.js';
import { createEdge, readEdgeAddress } from './edge/create-edge.js';
import { evaluationHandlers } from './evaluations/evaluation-handlers.js';
import { createGuard } from './guard.js';
import { createHealth, findFileProblem } from './health.js';
import { createJobs } from './jobs/index.js';
import { createKeptRequests } from './kept-requests/kept-requests.js';
import { keyHandlers } from './keys/key-handlers.js';
import { createProjectApi } from './project-api/create-project-api.js';
import { startExpiry } from './project-api/expiry.js';
import { createJobJudge } from './project-api/models.js';
import { createRunApi } from './runs/run-api.js';
import { guardBackend } from './seams/backend.js';
import { openWatchedStore } from './store/db.js';
import { createBackgroundResponses } from './stored-answers/background.js';
import { createStoredAnswers } from './stored-answers/stored-answers.js';
import { traceRequests } from './trace-requests.js';

export interface Cloud {
  fetch(request: Request): Promise<Response>;
  /** Starts jobs, interrupted ones first. */
  start(): Promise<void>;
  /** Pauses running jobs and kills those that have not paused in time. */
  close(graceMs: number): Promise<void>;
  /** True when no job is queued or running and no chat is in progress. */
  isIdle(): Promise<boolean>;
  /** Deletes data that nothing refers to anymore. */
  collectGarbage(): Promise<Collected>;
}

/** Opens the data folder, which no other process may have open, and takes ownership of the backend. */
export async function createCloud(given: CloudDeps): Promise<Cloud> {
  const { clock = realClock } = given;
  const facts = await given.readModelFacts?.();
  const backend = guardBackend(given.backend, clock, { hasChatTemplate: facts?.hasChatTemplate !== false });
  const deps = { ...given, backend, clock };
  const health = createHealth(deps.log, backend, deps.isFull);
  const store = await openWatchedStore(join(deps.folder, 'cloud.db'), health, clock);
  const { db } = store;
  const access = createAccess({
    db,
    local: !deps.exposed,
    anonymous: deps.anonymous !== 'off',
    verifier: deps.oauth && openVerifier(deps.oauth, db, clock),
  });
  const workerUrl = deps.workerUrl ?? deps.address.url;
  const answerSample = createAnswerSample(backend, deps.log);
  const answerDeps = { backend, log: deps.log, clock, tracer: deps.tracer };
  const judge = createJobJudge({ ...answerDeps, db, deps, models: () => models });
  const jobs = createJobs({ ...deps, health, workerUrl }, db, access, {
    answerSample,
    judge,
    files: deps.files,
  });
  const { files } = jobs.serving;
  const problems = () => [...health.problems(), ...findFileProblem(files.load)];
  const models = createModelResolver({
    baseModel: deps.baseModel,
    findAdapter: jobs.findAdapter,
    load: backend.load,
  });
  const answer = createAnswer(answerDeps);
  const kept = createKeptRequests(db, { folder: deps.folder, log: deps.log, clock });
  const stored = createStoredAnswers(db, {
    folder: deps.folder,
    hours: deps.storeHours,
    log: deps.log,
    clock,
  });
  const background = createBackgroundResponses(answerDeps);
  const counts = createRequestCounts(clock);
  const sampling = facts?.sampling ?? {};
  const answering = { models, answer, backend, stored, background, sampling };
  const context = { ...answering, db, access, kept, counts, deps, clock };
  async function readActivity(): Promise<Activity> {
    const { queued, running } = await jobs.count();
    const [weights, device, cluster] = await Promise.all([
      deps.readWeights?.(),
      deps.readDevice?.(),
      deps.readCluster?.(),
    ]);
    return {
      idle: queued + running + backend.activeCount === 0,
      jobs: { queued, running },
      files: { running: files.load.running, waiting: files.load.waiting },
      ...(weights && { weights }),
      ...(device && { device }),
      ...(deps.readTorch && { torch: deps.readTorch() }),
      ...(cluster && { cluster: { ...cluster, ...jobs.listPlaces() } }),
    };
  }

  const guard = createGuard(deps.address);
  const api = createApp({ guard, log: deps.log })
    .mount(cloudRoutes, {
      ...authHandlers(context),
      ...projectHandlers(context),
      ...jobs.handlers,
      ...chatHandlers(context),
      ...deploymentHandlers(context),
      ...evaluationHandlers(context),
      ...keyHandlers(context),
      ...keptRequestHandlers(context),
      ...clusterHandlers(context, jobs.listPlaces),
      ...overviewHandlers({ ...context, listSome: jobs.listSome }),
      ...cloudHandlers({
        deps,
        backend,
        health: { problems },
        readActivity,
        collectGarbage: jobs.collectGarbage,
      }),
    })
    .fallback(request => {
      const { pathname } = new URL(request.url);
      throw unknownUrl(pathname, hintForEndpoints(pathname, request, deps.address.deploymentDomain));
    });
  const edge = createEdge(context);
  const runApi = createRunApi({ ...jobs.remote, guard, deps });
  const { serving } = deps;
  const servingApi = serving && createServingApi({ ...jobs.serving, serving, guard, deps });
  const projectApi = createProjectApi({ ...context, guard, jobs });
  let expiry: Repeating | undefined;
  const fetch = async (request: Request) =>
    edge(request) ??
    projectApi.fetch(request) ??
    runApi(request) ??
    servingApi?.(request) ??
    api.fetch(request);
  const readEdge = (request: Request) => readEdgeAddress(request, deps.address);

  return {
    fetch: deps.tracer ? traceRequests(deps.tracer, readEdge, fetch) : fetch,
    async start() {
      await kept.start();
      await stored.start();
      await jobs.start();
      await projectApi.start();
      expiry = startExpiry({ ...context, datasets: jobs.datasets, folders: jobs.folders });
    },
    async close(graceMs) {
      await background.close();
      await Promise.all([expiry?.stop(), projectApi.close(), jobs.close(graceMs), backend.close()]);
      await kept.close();
      await stored.close();
      await store.close();
    },
    isIdle: async () => (await readActivity()).idle,
    collectGarbage: jobs.collectGarbage,
  };
}

/** For clients of an endpoint whose requests arrive under the cloud's own name: a proxy or a development server may change the host. */
function hintForEndpoints(path: string, request: Request, domain: string): string {
  const isLocal = isLocalDomain(domain);
  if (!isLocal && path.startsWith('/d/'))
    return `: endpoints of this cloud are at <slug>.${domain}, and not under /d/`;
  if (!Object.values(edgeRoutes).some(route => route.path === path)) return '';
  const places = `<slug>.${domain}${isLocal ? ' or under /d/<slug>' : ''}`;
  return `: an endpoint is at ${places}, and this request's host is ${request.headers.get('host')}`;
}
