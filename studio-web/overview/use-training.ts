// The project's trainer, and the run started from this Studio, in the browser or the terminal: its status and its live
// output. They outlive the view, so navigating away and back loses nothing, and a reload picks the run up again. The
// output is only read while somebody can see it, since browsers allow six connections per origin.
import { onUnmounted, ref, shallowRef } from 'vue';
import { realClock } from '../../lib/clock/index.js';
import {
  brokenRunAction,
  isRebuilt,
  RUN_POLL_MS,
  type RunAction,
  runAction,
  type ShownBuild,
  SLOW_MS,
  type TerminalText,
} from '../../lib/console/index.js';
import type { ApiError, Manifest, TrainStatus } from '../../lib/contract/index.js';
import { noticeProject } from '../cloud.js';
import { useHiddenTab } from '../job/use-stream.js';
import { usePoll } from '../live.js';
import { isStale, studio } from '../studio.js';

const NONE: TrainStatus = { running: false, startedAt: null, jobId: null, exitCode: null };
const REOPEN_MS = 1000;

const status = shallowRef<TrainStatus | null>(null);
/** Null until anything was read. */
const output = shallowRef<TerminalText | null>(null);
const error = shallowRef<Error>();
/** This page requested a run, or is reading its output. */
const isBusy = ref(false);
/** Allows one pending status request at a time. */
let isAsking = false;
/** `startedAt` of the run whose whole output is shown. */
let shown: string | null = null;
/** The same of the run that any of the output is of. */
let held: string | null = null;
/** Aborted once nobody can see the output. */
let watched = new AbortController();

export const training = { status, output, error, isBusy, start };

/** Polls for runs while the view is shown, and reads their output. */
export function useTraining(): typeof training {
  usePoll(notice, RUN_POLL_MS);
  useHiddenTab({ onLongHidden: () => watched.abort(), onShown: watch });
  onUnmounted(() => watched.abort());
  watch();
  return training;
}

function watch(): void {
  if (watched.signal.aborted) watched = new AbortController();
  void notice();
}

async function start(): Promise<void> {
  if (isBusy.value) return;
  isBusy.value = true;
  error.value = undefined;
  try {
    const answer = await studio.startTraining();
    output.value = held = null;
    status.value = { ...NONE, running: true, startedAt: new Date().toISOString() };
    await follow(answer);
  } catch (reason) {
    await readStatus();
    if ((reason as ApiError).code === 'train_in_flight') await follow();
    else error.value = reason as Error;
  } finally {
    isBusy.value = false;
  }
}

/** Picks up a run not shown here yet: one from before a reload, or one started in the terminal. */
async function notice(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  const answer = await askForStatus();
  isAsking = false;
  if (answer === null) return;
  if (isBusy.value) {
    // This answer may be older than the run.
    if (answer.running) {
      status.value = answer;
      held = answer.startedAt;
    }
    return;
  }
  status.value = answer;
  if (watched.signal.aborted || answer.startedAt === null || (answer.startedAt === shown && !answer.running))
    return;
  isBusy.value = true;
  error.value = undefined;
  if (answer.startedAt !== held) output.value = null;
  held = answer.startedAt;
  await follow().catch(reason => {
    error.value = reason;
  });
  isBusy.value = false;
}

/**
 * Streams output until the run ends, or nobody can see it. A stream that ends earlier was cut off, and is reopened from the
 * beginning.
 */
async function follow(first?: Response): Promise<void> {
  const { signal } = watched;
  const { printOutput } = await import('./print-output.js').catch(() => {
    // svc was updated since the page was loaded. Trying again each second would not help.
    watched.abort();
    void first?.body?.cancel();
    throw new Error('A part of this page could not be loaded. Reload the page.');
  });
  let opened = first;
  let isWhole = false;
  do {
    try {
      await printOutput(output, opened ?? (await studio.streamTrainOutput({ signal })), signal);
      isWhole = true;
    } catch {
      if (signal.aborted) return;
      isWhole = false;
      await realClock.sleep(REOPEN_MS);
    }
    opened = undefined;
    await readStatus();
  } while ((status.value?.running || !isWhole) && !isStale.value);
  shown = held = status.value?.startedAt ?? null;
}

async function readStatus(): Promise<void> {
  status.value = await askForStatus();
}

/** If the request fails, the last known status stays: runs continue while the connection is down. */
async function askForStatus(): Promise<TrainStatus | null> {
  try {
    const answer = await studio.getTrainStatus();
    noteBuild(answer);
    if (answer.jobId !== (status.value?.jobId ?? null)) noticeProject();
    return answer;
  } catch {
    return status.value;
  }
}

const manifest = shallowRef<Manifest>();
const action = shallowRef<RunAction | null>(null);
const isSlow = ref(false);
let wasAsked = false;
let isReading = false;
let shownBuild: ShownBuild;

/** The trainer. Built once per page load, because that is how edits are picked up. */
export function useManifest() {
  if (!wasAsked) void askForManifest();
  return { manifest, action, isSlow };
}

/** Someone else may have built the project. */
function noteBuild(status: TrainStatus): void {
  if (action.value === null || isReading) return;
  const isOther = isRebuilt(shownBuild, status);
  shownBuild = status.builtAt ?? null;
  if (isOther) void askForManifest({ reuse: true });
}

async function askForManifest({ reuse = false } = {}): Promise<void> {
  wasAsked = true;
  isReading = true;
  const timer = realClock.after(SLOW_MS, () => {
    isSlow.value = true;
  });
  try {
    manifest.value = await studio.getManifest({ reuse });
    action.value = runAction(manifest.value);
  } catch (error) {
    action.value = brokenRunAction(error);
  } finally {
    timer.stop();
    isSlow.value = false;
    isReading = false;
  }
}
