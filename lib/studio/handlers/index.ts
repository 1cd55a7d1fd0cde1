// All handlers of the loopback API, by route name.
import packageJson from '../../../package.json' with { type: 'json' };
import { STUDIO_TOKEN_HEADER, type StudioRoutes, studioRoutes, toOpenApi } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { TrainerData } from '../data/trainer-data.js';
import type { StudioDeps } from '../deps.js';
import type { ManifestReader } from '../project/manifest-reader.js';
import { createOwnIdentity } from '../project/own-identity.js';
import { createProjectAccess } from '../project/project-access.js';
import type { TrainRun } from '../train/train-run.js';
import { createChatHandler } from './chat.js';
import { createClusterHandlers } from './cluster.js';
import { createDataHandlers } from './data.js';
import { createDeploymentHandlers } from './deployments.js';
import { readIdentity } from './identity.js';
import { createJobEventsHandler } from './job-events.js';
import { createJobHandlers } from './jobs.js';
import { createOverviewHandler } from './overview.js';
import { createTrainHandlers } from './train.js';

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
