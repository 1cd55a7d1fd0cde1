// Studio's loopback API, which the first request for it loads: the page is served sooner without it.
import { studioRoutes } from '../contract/index.js';
import { createApp } from '../http/index.js';
import type { StudioDeps } from './deps.js';
import { createHandlers } from './handlers/index.js';
import { createManifestReader } from './project/manifest-reader.js';
import { createTrainerData, runDataIn } from './project/trainer-data.js';
import { createTrainRun } from './train/train-run.js';

export type StudioApi = Awaited<ReturnType<typeof openApi>>;

export async function openApi(deps: StudioDeps) {
  const session = await deps.openSession();
  const parts = { ...deps, session };
  const train = createTrainRun(deps);
  const manifest = createManifestReader(parts);
  const runData = deps.runData ?? runDataIn(session.folder, deps.env);
  const trainerData = createTrainerData(runData, () => manifest.read());
  const app = createApp({ log: deps.log, clock: session.clock }).mount(
    studioRoutes,
    createHandlers({ session, manifest, train, trainerData }),
  );

  function abandon(): void {
    manifest.close();
    trainerData.close();
    train.abandon();
  }

  return {
    fetch: app.fetch,
    /** Stops every process it started. */
    async close() {
      manifest.close();
      trainerData.close();
      await train.stop();
    },
    /** Like `close`, without waiting. */
    abandon,
  };
}
