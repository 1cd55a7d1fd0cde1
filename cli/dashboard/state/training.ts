// The project's trainer and its run: reads the manifest, starts a run, and follows one that was started here or elsewhere,
// whichever view is shown.
import type { StudioClient } from '../../../lib/client/index.js';
import type { Clock } from '../../../lib/clock/index.js';
import {
  brokenRunAction,
  emptyTerminal,
  errorText,
  hasUnreadRun,
  initialTraining,
  isReady,
  isRebuilt,
  printText,
  runAction,
  type ShownBuild,
  SLOW_MS,
  type Tone,
  type TrainingState,
  whyNotReady,
} from '../../../lib/console/index.js';
import { ApiError, type TrainStatus } from '../../../lib/contract/index.js';
import { createStore, merged } from './store.js';

interface TrainingOptions {
  readonly client: StudioClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  reach<Value>(answer: Promise<Value>, isUpstream?: boolean): Promise<Value>;
  notify(text: string, tone?: Tone): void;
  refreshIdentity(): void;
}

export function createTraining(options: TrainingOptions) {
  const { client, reach, clock, signal, notify, refreshIdentity } = options;
  const store = createStore(merged<TrainingState>, initialTraining, clock);
  let shownBuild: ShownBuild;

  function noteStatus(status: TrainStatus): void {
    if (JSON.stringify(status) !== JSON.stringify(store.state.status)) store.dispatch({ status });
  }

  /** Builds the project, unless the build that a run would use is to be read. */
  async function readManifest({ reuse = false } = {}): Promise<void> {
    store.dispatch({ isReading: true, isSlow: false });
    const slow = clock.after(SLOW_MS, () => store.dispatch({ isSlow: store.state.isReading }));
    const read = { isReading: false, isSlow: false };
    try {
      const manifest = await reach(client.getManifest({ reuse, signal }), false);
      store.dispatch({ ...read, action: runAction(manifest), trainer: manifest.trainer });
    } catch (error) {
      if (!signal.aborted) store.dispatch({ ...read, action: brokenRunAction(error), trainer: null });
    } finally {
      slow.stop();
      if (!reuse) shownBuild = undefined;
    }
  }

  /** Someone else may have built the project. */
  function noteBuild(status: TrainStatus): void {
    if (store.state.isReading) return;
    const isOther = isRebuilt(shownBuild, status);
    shownBuild = status.builtAt ?? null;
    if (isOther) void readManifest({ reuse: true });
  }

  /** The run's status; null if it cannot be fetched. */
  async function askStatus(): Promise<TrainStatus | null> {
    try {
      const status = await reach(client.getTrainStatus({ signal }), false);
      noteStatus(status);
      noteBuild(status);
      // A run with a job has also created the project.
      if (status.jobId !== null) refreshIdentity();
      if (hasUnreadRun(store.state)) void follow(client.streamTrainOutput({ signal }), status.startedAt);
      return status;
    } catch {
      // The title shows whether Studio is up, and the next poll fetches the status again.
      return null;
    }
  }

  /** Starts a run, or says why none can be started. */
  function start(): void {
    if (!isReady(store.state)) {
      notify(whyNotReady(store.state), 'warning');
      return;
    }
    store.dispatch({ busy: true, problem: null });
    void follow(client.startTraining({ signal }), null);
  }

  /** A run started here has no start time yet. */
  async function follow(request: Promise<Response>, startedAt: string | null): Promise<void> {
    let isBegun = startedAt !== null;
    try {
      const response = await reach(request, false);
      isBegun = true;
      if (startedAt === null) holdBegun();
      const followed = startedAt ?? (await askStart());
      store.dispatch({ busy: true, followed, output: emptyTerminal, problem: null });
      await print(response);
      store.dispatch({ busy: false });
    } catch (error) {
      if (signal.aborted) return;
      // A run that did not begin leaves the one before as it was read.
      store.dispatch({ busy: false, problem: errorText(error), ...(isBegun && { followed: null }) });
      // Another run is in progress, or the stream broke off: the current run can be followed from its start.
      if (error instanceof ApiError && error.code !== 'train_in_flight') return;
    }
    await askStatus();
    refreshIdentity();
  }

  /** Blocks a second start until Studio responds. */
  function holdBegun(): void {
    const startedAt = new Date().toISOString();
    store.dispatch({ status: { running: true, startedAt, jobId: null, exitCode: null } });
  }

  async function askStart(): Promise<string | null> {
    const status = await client.getTrainStatus({ signal });
    noteStatus(status);
    return status.startedAt;
  }

  async function print(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      const text = decoder.decode(bytes as Uint8Array, { stream: true });
      store.dispatchLater({ output: printText(store.state.output, text) });
      // The job exists before the run prints much.
      if (store.state.status?.jobId === null) void askStatus();
    }
  }

  return { store, readManifest, askStatus, start };
}
