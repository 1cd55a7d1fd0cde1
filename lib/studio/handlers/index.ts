// All handlers of the loopback API, by route name. The short ones are here.
import packageJson from '../../../package.json' with { type: 'json' };
import {
  ApiError,
  type ClusterAnswer,
  type Overview,
  STUDIO_TOKEN_HEADER,
  type StudioRoutes,
  studioRoutes,
  toOpenApi,
} from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { StudioDeps } from '../deps.js';
import type { ManifestReader } from '../project/manifest-reader.js';
import {
  createOwnIdentity,
  createProjectAccess,
  type ProjectAccess,
  readIdentity,
} from '../project/project-access.js';
import type { TrainerData } from '../project/trainer-data.js';
import type { TrainRun } from '../train/train-run.js';
import { createChatHandler } from './chat.js';
import { createDeploymentHandlers } from './deployments.js';
import { createJobEventsHandler } from './job-events.js';
import { createJobHandlers } from './jobs.js';

interface Parts extends Pick<StudioDeps, 'session'> {
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
    getIdentity: () => readIdentity(session, identity),
    getManifest: () => manifest.read(),
    ...createTrainHandlers(train),
    ...createDataHandlers(project, trainerData),
    ...createJobHandlers(project),
    ...createOverviewHandler(project),
    streamJobEvents: createJobEventsHandler(project),
    chat: createChatHandler(project, session.clock),
    ...createDeploymentHandlers(project),
    ...createClusterHandlers(project),
    getOpenApi: ({ request }) => describe(new URL(request.url).origin),
  };
}

type TrainHandlers = Pick<Handlers<StudioRoutes>, 'getTrainStatus' | 'startTraining' | 'streamTrainOutput'>;

/** The run started from this Studio: its status and its output. */
function createTrainHandlers(run: TrainRun): TrainHandlers {
  return {
    getTrainStatus: () => run.status(),
    startTraining: async () => toText(await run.start()),
    streamTrainOutput: () => toText(run.output()),
  };
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

type DataHandlers = Pick<Handlers<StudioRoutes>, 'previewData'>;

/** A preview of a data set: the trainer's, or that of a config. The cloud reads it. */
function createDataHandlers(project: ProjectAccess, trainer: TrainerData): DataHandlers {
  return {
    async previewData({ body, request }) {
      const { config: given, reload = false, ...query } = body;
      const { signal } = request;
      const ask = (config: NonNullable<typeof given>) =>
        project.ensure(cloud => cloud.previewData({ ...query, config }, { signal }));
      if (given) return ask(given);
      try {
        return await ask(await trainer.config(reload));
      } catch (error) {
        if (reload || !isGone(error)) throw error;
        return ask(await trainer.config(true));
      }
    },
  };
}

/** Uploads that no job reads are deleted after a while. */
function isGone(error: unknown): boolean {
  return (
    error instanceof ApiError && error.code === 'dataset_invalid' && /datasetId$/.test(error.param ?? '')
  );
}

const NOTHING: Overview = { running: [], recent: [], endpoints: [] };

/** What goes on in the project. A cloud of an earlier version has no overview, which is no fault of its project. */
function createOverviewHandler(project: ProjectAccess): Pick<Handlers<StudioRoutes>, 'getOverview'> {
  return {
    async getOverview({ request: { signal } }) {
      try {
        return (await project.ifAny(cloud => cloud.getOverview({ signal }))) ?? NOTHING;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'unknown_url') return NOTHING;
        throw error;
      }
    },
  };
}

const NONE: ClusterAnswer = { cluster: null };

/** The cluster that the cloud trains on, if it does. Without a project there is nothing to show of it. */
function createClusterHandlers({ ifAny }: ProjectAccess): Pick<Handlers<StudioRoutes>, 'getCluster'> {
  return {
    async getCluster({ request: { signal } }) {
      try {
        return (await ifAny(cloud => cloud.getCluster({ signal }))) ?? NONE;
      } catch (error) {
        // Clouds of other makers need not have the route.
        if (error instanceof ApiError && error.status === 404) return NONE;
        throw error;
      }
    },
  };
}
