// Reads the project's manifest, starts a run, and follows one that was started here or elsewhere.
import { ApiError, type TrainStatus } from '../../../../lib/contract/index.js';
import type { Context } from '../../core/context.js';
import { SLOW_MS, toMessage } from '../../core/fetched.js';
import type { Scroller } from '../../core/scroller.js';
import { hasUnreadRun, isReady, type OverviewStore, whyNotReady } from './state.js';

export interface OverviewPage {
  readonly context: Context;
  readonly store: OverviewStore;
  readonly scroller: Scroller;
}

export async function readManifest({ context, store }: OverviewPage): Promise<void> {
  const { client, reach, clock, signal } = context;
  store.dispatch({ type: 'reading' });
  const slow = clock.after(SLOW_MS, () => store.dispatch({ type: 'slow' }));
  try {
    const manifest = await reach(client.getManifest({ signal }), false);
    store.dispatch({ type: 'manifest', manifest });
  } catch (error) {
    if (!signal.aborted) store.dispatch({ type: 'broken', error });
  } finally {
    slow.stop();
  }
}

/** Null if the status cannot be fetched. */
export async function askStatus(page: OverviewPage): Promise<TrainStatus | null> {
  const { context, store } = page;
  const { client, reach, signal } = context;
  try {
    const status = await reach(client.getTrainStatus({ signal }), false);
    store.dispatch({ type: 'status', status });
    // A run that has a job has also created the project.
    if (status.jobId !== null) context.refreshIdentity();
    if (hasUnreadRun(store.state)) void follow(page, client.streamTrainOutput({ signal }), status.startedAt);
    return status;
  } catch {
    // The title shows whether Studio is up, and the next poll fetches the status again.
    return null;
  }
}

export function startRun(page: OverviewPage): void {
  const { context, store } = page;
  if (!isReady(store.state)) {
    context.notify(whyNotReady(store.state), 'warning');
    return;
  }
  store.dispatch({ type: 'asked' });
  void follow(page, context.client.startTraining({ signal: context.signal }), null);
}

/** A run that is started here has no start time yet. */
async function follow(page: OverviewPage, asked: Promise<Response>, startedAt: string | null): Promise<void> {
  const { context, store, scroller } = page;
  try {
    const response = await context.reach(asked, false);
    scroller.reset();
    if (startedAt === null) store.dispatch({ type: 'begun', at: new Date().toISOString() });
    store.dispatch({ type: 'followed', startedAt: startedAt ?? (await askStart(page)) });
    await print(page, response);
    store.dispatch({ type: 'ended' });
  } catch (error) {
    if (context.signal.aborted) return;
    store.dispatch({ type: 'refused', problem: toMessage(error) });
    // Another run is in progress, or the stream broke off: the current run can be followed from its start.
    if (error instanceof ApiError && error.code !== 'train_in_flight') return;
  }
  await askStatus(page);
  context.refreshIdentity();
}

async function askStart({ context, store }: OverviewPage): Promise<string | null> {
  const status = await context.client.getTrainStatus({ signal: context.signal });
  store.dispatch({ type: 'status', status });
  return status.startedAt;
}

async function print(page: OverviewPage, response: Response): Promise<void> {
  const { store } = page;
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    store.dispatch({ type: 'printed', text: decoder.decode(bytes as Uint8Array, { stream: true }) });
    // The job exists before the run prints much.
    if (store.state.status?.jobId === null) void askStatus(page);
  }
}
