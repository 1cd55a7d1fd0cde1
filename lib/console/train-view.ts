// The run on the Overview page: whether one can be started, how the last one ended, and the texts shown on
// leaving the dashboard: a question while a run is in progress, and the line that stays on the screen.
import type { Manifest, TrainStatus } from '../contract/index.js';
import { type CloudLink, isAway } from './cloud-link.js';
import type { RunAction } from './labels.js';
import { emptyTerminal, type TerminalText } from './text/terminal-text.js';

/** Shown instead of output. Runs started elsewhere are in Jobs. */
export function noOutputText({ status, busy }: Pick<RunState, 'status' | 'busy'>): string {
  if (busy || status?.running) return 'Nothing printed yet.';
  return status?.startedAt ? 'Nothing was printed.' : 'No runs started here yet.';
}

/** How often to check for runs started elsewhere. Studio answers this without calling the cloud. */
export const RUN_POLL_MS = 1000;

/** When the build was made whose trainer is shown: null without one, undefined until a status tells. */
export type ShownBuild = string | null | undefined;

/** Whether a run would use another build than the one whose trainer is shown. */
export function isRebuilt(shown: ShownBuild, { builtAt }: TrainStatus): boolean {
  return shown !== undefined && builtAt !== undefined && builtAt !== shown;
}

export interface RunState {
  /** Null until known. */
  readonly action: RunAction | null;
  /** Null until known. */
  readonly status: TrainStatus | null;
  /** A run was requested here, or is being followed here. */
  readonly busy: boolean;
}

/** What the dashboard knows about the project's trainer, its run, and the run's output. */
export interface TrainingState extends RunState {
  readonly trainer: Manifest['trainer'];
  readonly isReading: boolean;
  /** Reading the manifest is taking a while. */
  readonly isSlow: boolean;
  readonly output: TerminalText;
  /** The start time of the run whose output is shown; null if there is none. */
  readonly followed: string | null;
  readonly problem: string | null;
}

export const initialTraining: TrainingState = {
  action: null,
  trainer: null,
  isReading: false,
  status: null,
  busy: false,
  isSlow: false,
  output: emptyTerminal,
  followed: null,
  problem: null,
};

/** Whether a run can be started; not while the trainer is being reloaded. */
export function isReady(state: TrainingState): boolean {
  return canRun(state) && !state.isReading;
}

/** Why no run can be started now. */
export function whyNotReady({ action, status, busy }: RunState): string {
  if (busy || status?.running) return 'A run is already in progress. Wait until it ends.';
  return action && action.kind !== 'ready' ? action.message : 'The trainer has not loaded yet.';
}

/** True if there is a run whose output has not been requested. */
export function hasUnreadRun({ status, busy, followed }: TrainingState): boolean {
  return !busy && status !== null && status.startedAt !== null && status.startedAt !== followed;
}

/** A run can be started if a trainer is known and no run is in progress. */
export function canRun({ action, status, busy }: RunState): boolean {
  return action?.kind === 'ready' && !busy && status !== null && !status.running;
}

export interface RunOutcome {
  readonly state: 'running' | 'completed' | 'failed';
  readonly text: string;
}

/** The state of the last run; null if there was none. */
export function runOutcome(status: TrainStatus | null): RunOutcome | null {
  if (!status || status.startedAt === null) return null;
  if (status.running) return { state: 'running', text: 'running' };
  if (status.exitCode === 0) return { state: 'completed', text: 'completed' };
  return {
    state: 'failed',
    text: status.exitCode === null ? 'exited' : `exited with code ${status.exitCode}`,
  };
}

/** What happens to the job of a run in progress; `unknown` if the cloud does not respond. */
export type JobFate = 'goes_on' | 'over' | 'unknown';

export const QUIT_WITHOUT_JOB = 'A run is in progress but has no job yet. Quitting stops it. Quit?';
export const QUIT_QUESTIONS: Readonly<Record<JobFate, string>> = {
  goes_on: 'A run is in progress. Its job continues, but its callbacks stop. Quit?',
  over: 'A run is in progress. Its job has ended; quitting stops its callbacks. Quit?',
  unknown:
    'A run is in progress. Its job continues once the cloud responds again, but its callbacks stop. Quit?',
};

interface Leaving {
  readonly status: TrainStatus | null;
  readonly trainerName: string | null;
  readonly fate: JobFate;
  readonly logFile: string | null;
}

export function exitLine({ status, trainerName, fate, logFile }: Leaving): string {
  const log = logFile === null ? '' : ` Log: ${logFile}`;
  return `${describeRun(status, trainerName, fate)}${log}`;
}

/** A guess from earlier calls, for when there is no time to ask the cloud. */
export function fateByLink(link: CloudLink): JobFate {
  return isAway(link) ? 'unknown' : 'goes_on';
}

function describeRun(status: TrainStatus | null, trainerName: string | null, fate: JobFate): string {
  const outcome = runOutcome(status);
  if (!status || !outcome) return 'No training was started.';
  const what = trainerName === null ? 'Training' : `Training of ${trainerName}`;
  const job = status.jobId === null ? '' : `, job ${status.jobId}`;
  if (outcome.state !== 'running') return `${what} ${outcome.text}${job}.`;
  if (status.jobId === null) return `${what} was stopped before its job was created.`;
  return `${what} ${ENDINGS[fate](job, `"svc jobs logs ${status.jobId} --follow"`)}`;
}

const ENDINGS: Readonly<Record<JobFate, (job: string, logs: string) => string>> = {
  goes_on: (job, logs) => `is still running${job}. Follow it with ${logs}.`,
  over: job => `was stopped${job}, but the job had already ended.`,
  unknown: (job, logs) =>
    `was still running${job}. The cloud is not responding; the job continues when the cloud runs. Follow it with ${logs}.`,
};
