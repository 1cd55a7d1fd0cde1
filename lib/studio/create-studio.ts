// Studio as a fetch function: the loopback API and the browser app behind their guards.
import { studioRoutes } from '../contract/index.js';
import { createApp } from '../http/index.js';
import type { StudioDeps } from './deps.js';
import { addSecurityHeaders, createGuard, createUserGuard, isForAgents } from './guard.js';
import { createHandlers } from './handlers/index.js';
import { createManifestReader } from './project/manifest-reader.js';
import { createTrainerData, runDataIn } from './project/trainer-data.js';
import { createStaticFiles } from './static-files.js';
import { createTrainRun } from './train/train-run.js';

export interface Studio {
  fetch(request: Request): Promise<Response>;
  /** Stops every process it started. Jobs in the cloud keep running. */
  close(): Promise<void>;
  /** Like `close`, without waiting, for a process that is exiting. */
  abandon(): void;
}

export function createStudio(deps: StudioDeps): Studio {
  const { mcp } = deps;
  const serveFile = createStaticFiles(deps);
  const train = createTrainRun(deps);
  const manifest = createManifestReader(deps);
  const runData = deps.runData ?? runDataIn(deps.session.folder, deps.env);
  const trainerData = createTrainerData(runData, () => manifest.read());
  const refuseOtherUsers = createUserGuard();
  const checkAddressAndToken = createGuard(deps.token);
  const guard = async (request: Request) => {
    await refuseOtherUsers(request);
    checkAddressAndToken(request);
  };
  const app = createApp({ guard, log: deps.log, clock: deps.session.clock })
    .mount(studioRoutes, createHandlers({ ...deps, manifest, train, trainerData }))
    .fallback(request => (mcp && isForAgents(new URL(request.url)) ? mcp(request) : serveFile(request)));

  function abandon(): void {
    manifest.close();
    trainerData.close();
    train.abandon();
  }

  return {
    fetch: async request => addSecurityHeaders(await app.fetch(request)),
    abandon,
    async close() {
      manifest.close();
      trainerData.close();
      await train.stop();
    },
  };
}
