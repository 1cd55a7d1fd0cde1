// All handlers of the loopback API, by route name. Short ones are defined here.
import packageJson from '../../../package.json' with { type: 'json' };
import type { CloudClient } from '../../client/index.js';
import type { Clock } from '../../clock/index.js';
import {
  ApiError,
  type InferenceRequest,
  STUDIO_TOKEN_HEADER,
  type StudioRoutes,
  studioRoutes,
  toOpenApi,
} from '../../contract/index.js';
import { chunkEvents, errorData, type Handler, type Handlers, streamResponse } from '../../http/index.js';
import { findBuild, noteCloud, type Session } from '../../sdk/index.js';
import type { ManifestReader } from '../project/manifest-reader.js';
import {
  createOwnIdentity,
  createProjectAccess,
  type ProjectAccess,
  readIdentity,
} from '../project/project-access.js';
import type { TrainerData } from '../project/trainer-data.js';
import type { TrainRun } from '../train/train-run.js';
import { createForwardingHandlers } from './forwarded.js';
import { createJobEventHandlers } from './job-events.js';
import { createJobListHandler } from './jobs.js';

interface Parts {
  session: Session;
  manifest: ManifestReader;
  train: TrainRun;
  trainerData: TrainerData;
}

export function createHandlers(parts: Parts): Handlers<StudioRoutes> {
  const { session, manifest, train, trainerData } = parts;
  const identity = createOwnIdentity(session);
  const project = createProjectAccess(session, identity);
  const describe = (server: string) =>
    toOpenApi(studioRoutes, {
      title: 'svc Studio',
      version: packageJson.version,
      server,
      security: { header: STUDIO_TOKEN_HEADER },
    });
  return {
    getIdentity: ({ query: { known } }) => readIdentity(session, identity, known !== undefined),
    getManifest: ({ query: { reuse } }) => (reuse ? manifest.reread() : manifest.read()),
    getTrainStatus: async () => {
      const build = await findBuild(session.folder);
      return { ...train.status(), ...(build && { builtAt: build.builtAt.toISOString() }) };
    },
    startTraining: async () => toText(await train.start()),
    streamTrainOutput: () => toText(train.output()),
    previewData: createPreviewHandler(project, trainerData),
    readDataRows: async () =>
      new Response(await trainerData.rows(), {
        headers: { 'content-type': 'application/jsonl', 'cache-control': 'no-store' },
      }),
    listJobs: createJobListHandler(project),
    ...createJobEventHandlers(project),
    getBaseModel: ({ request: { signal } }) => readBaseModel(session, signal),
    chat: createChatHandler(project, session.clock),
    ...createForwardingHandlers(project),
    getOpenApi: ({ request }) => describe(new URL(request.url).origin),
  };
}

/**
 * A cloud elsewhere is not asked before the folder has a project, since opening Studio costs it one call. Other
 * implementations of the cloud may not say.
 */
async function readBaseModel(session: Session, signal: AbortSignal) {
  const { key, url } = await session.choose();
  if (url !== null && !(await session.state())) return { baseModel: null };
  const cloud = await session.clientForAnyone();
  const answer = await cloud.getBaseModel({ signal }).catch(error => {
    if (error instanceof ApiError && error.status === 404) return { baseModel: null };
    throw error;
  });
  if (answer.baseModel)
    await noteCloud(session.home, key, { baseModel: answer.baseModel.name }).catch(() => {});
  return answer;
}

function toText(bytes: ReadableStream<Uint8Array>): Response {
  return new Response(bytes, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}

const FIRST_ROW = { cursor: '0' };

/** Previews a data set: the trainer's, or that of a config. The cloud reads the data. */
function createPreviewHandler(
  project: ProjectAccess,
  trainer: TrainerData,
): Handler<StudioRoutes['previewData']> {
  return async ({ body, request }) => {
    const { config: given, reload = false, ...query } = body;
    const { signal } = request;
    // The cloud first: the trainer's process would start one that was stopped on purpose.
    const ask = (rereads: boolean) =>
      project.ensure(async cloud => {
        const config = given ?? (await trainer.config(rereads));
        // Without a cursor, the cloud fetches a URL again. Reading the trainer's config has just done so.
        const place = given ? {} : FIRST_ROW;
        return cloud.previewData({ ...place, ...query, config }, { signal });
      });
    try {
      return await ask(reload);
    } catch (error) {
      if (given || reload || !isGone(error)) throw error;
      return ask(true);
    }
  };
}

/** Unused uploads are deleted after a while. */
function isGone(error: unknown): boolean {
  return (
    error instanceof ApiError && error.code === 'dataset_invalid' && /datasetId$/.test(error.param ?? '')
  );
}

function createChatHandler(project: ProjectAccess, clock: Clock): Handler<StudioRoutes['chat']> {
  return ({ body, request }) => {
    const { adapter } = body;
    const work = (cloud: CloudClient) => answer(cloud, body, request.signal, clock);
    return adapter ? project.existing(() => nothingTrained(adapter.jobId), work) : project.ensure(work);
  };
}

async function answer(
  cloud: CloudClient,
  body: InferenceRequest,
  readerGone: AbortSignal,
  clock: Clock,
): Promise<Response> {
  if (!body.stream)
    return Response.json(await cloud.chat({ ...body, stream: false }, { signal: readerGone }));
  const clientGone = new AbortController();
  const signal = AbortSignal.any([readerGone, clientGone.signal]);
  const chunks = cloud.chat({ ...body, stream: true }, { signal });
  const failLate = (error: unknown) => ({ data: errorData(error) });
  return streamResponse(chunkEvents(chunks), { clientGone, failLate, clock });
}

function nothingTrained(jobId: string): ApiError {
  return new ApiError('target_not_found', `No job ${jobId}: this project has no jobs yet.`, {
    param: 'adapter.jobId',
  });
}
