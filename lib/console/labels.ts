// Labels and error texts shared by the browser and the terminal. The browser loads this first, so it must not
// import charts or lists.
import {
  ApiError,
  countCharacters,
  type Deployment,
  type Follow,
  type JobOrigin,
  type JobSummary,
  type Manifest,
  type StartingAdapter,
  type Target,
} from '../contract/index.js';
import { formatCount, formatLocalTime, formatNumber } from './text/format.js';

/** `Final adapter (job 1a2b3c4d)`, `Checkpoint step 40 (job 1a2b3c4d)` or `Base model: <name>`. */
export function targetLabel(target: Target): string {
  if (target.kind === 'base_model') return `Base model: ${target.baseModel}`;
  const { adapter } = target;
  const job = `(job ${shortId(adapter.jobId)})`;
  return adapter.kind === 'final' ? `Final adapter ${job}` : `Checkpoint step ${adapter.step} ${job}`;
}

/** What a second target gets and is: `10% to Checkpoint step 40 (job 1a2b3c4d)`. Null without a canary. */
export function canaryLabel({ canary }: Pick<Deployment, 'canary'>): string | null {
  return canary ? `${formatNumber(canary.share * 100)}% to ${targetLabel(canary.target)}` : null;
}

/** A short form: `the base model`, `job 1a2b3c4d`. */
export function targetWords(target: Target): string {
  return target.kind === 'base_model' ? 'the base model' : `job ${shortId(target.adapter.jobId)}`;
}

/** `best of job 1a2b3c4d` or `latest of feedback`. */
export function followLabel(follow: Follow): string {
  return follow.kind === 'best' ? `best of job ${shortId(follow.jobId)}` : `latest of ${follow.trainer}`;
}

export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** The job whose ID starts with this text, ignoring case. */
export function findByPrefix<Job extends Pick<JobSummary, 'id'>>(
  start: string,
  jobs: readonly Job[],
): { readonly job: Job } | { readonly problem: string } {
  const wanted = start.toLowerCase();
  const found = jobs.filter(({ id }) => id.toLowerCase().startsWith(wanted));
  const [only, ...others] = found;
  if (!only) return { problem: 'No job of this project has this ID.' };
  if (others.length === 0) return { job: only };
  return { problem: `${found.length} jobs have IDs that start so. Type more.` };
}

/** The slug with the deployment host suffix, without a scheme. */
export function deploymentHost({ url }: Pick<Deployment, 'url'>): string {
  return new URL(url).host;
}

export function enabledLabel({ enabled }: Pick<Deployment, 'enabled'>): 'enabled' | 'disabled' {
  return enabled ? 'enabled' : 'disabled';
}

/**
 * The second label of an endpoint, next to enabled or disabled, if something is wrong with its target;
 * otherwise null.
 */
export function troubleLabel({ problem }: Pick<Deployment, 'problem'>): 'cannot serve' | null {
  return problem ? 'cannot serve' : null;
}

// Isolates a name, so that right-to-left text in it does not reorder what follows.
const ISOLATE = '\u2068';
const END_OF_ISOLATE = '\u2069';

/** The period of an endpoint's figures. A cloud counts in memory, so it may have started within the last hour. */
export function periodText(countedSince: string | undefined): string {
  return countedSince === undefined ? 'in the last hour' : 'since the cloud started';
}

/** What distinguishes a run from the others of its sweep: `learningRate=0.001 lora.r=8`. */
export function groupText({ settings }: NonNullable<JobSummary['group']>): string {
  return settings.map(({ name, value }) => `${name}=${value}`).join(' ');
}

const PROVIDERS: ReadonlyMap<string, string> = new Map([['openai', 'OpenAI']]);

export function providerName({ provider }: Pick<JobOrigin, 'provider'>): string {
  return PROVIDERS.get(provider) ?? provider;
}

/** `OpenAI gpt-4.1-mini-2025-04-14`. */
export function originText(origin: JobOrigin): string {
  return `${providerName(origin)} ${origin.model}`;
}

/** `3f2a91c0, step 400`: the adapter of another run. */
export function fromText({ jobId, kind, step }: StartingAdapter): string {
  return step === undefined ? `${shortId(jobId)}, ${kind}` : `${shortId(jobId)}, step ${formatCount(step)}`;
}

type LabeledJob = Pick<JobSummary, 'name' | 'id' | 'createdAt'> & Partial<Pick<JobSummary, 'group'>>;

/** A job's name, followed by its ID, time and sweep settings to tell it from others with the same name. */
export function jobLabel({ name, id, createdAt, group }: LabeledJob): string {
  const varied = group ? ` · ${groupText(group)}` : '';
  return `${ISOLATE}${name}${END_OF_ISOLATE}${varied} · ${shortId(id)} · ${formatLocalTime(createdAt)}`;
}

/** `accuracy 0.93` */
export function scoreText({ name, value }: { readonly name: string; readonly value: number }): string {
  return `${name} ${formatNumber(value)}`;
}

const KEY_LABEL_MAX = 80;

/** What is wrong with a key's label; null if it is valid. */
export function keyLabelProblem(label: string): string | null {
  const length = countCharacters(label.trim());
  if (length === 0) return 'Enter a label, such as who will use the key.';
  return length > KEY_LABEL_MAX ? `Use at most ${KEY_LABEL_MAX} characters; this label has ${length}.` : null;
}

/** The label of the Run training button, or the message shown instead. */
export type RunAction = { readonly kind: 'ready'; readonly label: string } | NoRunAction;

/** `broken`: the project cannot be built or loaded; `unread`: its build is not to blame, such as when Studio is away. */
export interface NoRunAction {
  readonly kind: 'missing' | 'broken' | 'new' | 'unread';
  readonly message: string;
}

/** The command to run in a folder without a project. */
export const START_COMMAND = 'npx svc init';

const NO_PROJECT =
  'There is no project in this folder yet. To create one with a trainer and sample rows, run:';

export function runAction(manifest: Manifest): RunAction {
  if (manifest.trainer) return { kind: 'ready', label: `Run training: ${manifest.trainer.name}` };
  return {
    kind: 'missing',
    message: 'No trainer is registered. Add a trainer and pass it to `createService`.',
  };
}

/** What to do if there is no trainer to run; `again`: how a face reads the project again. */
export function fixText({ kind }: NoRunAction, again: string): string {
  return kind === 'unread' ? `To try again, ${again}.` : `Fix src/svc/index.ts, then ${again}.`;
}

/** The run action if the manifest could not be read. */
export function brokenRunAction(error: unknown): RunAction {
  if (error instanceof ApiError && error.code === 'project_missing')
    return { kind: 'new', message: NO_PROJECT };
  const isBroken = error instanceof ApiError && error.code === 'manifest_build_failed';
  return { kind: isBroken ? 'broken' : 'unread', message: `Couldn't read manifest: ${errorText(error)}` };
}

/** The error's message, or a generic sentence if it is empty, so that no banner is blank. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error ?? '');
  return message.trim() === '' ? 'The request failed without giving a reason. Try again.' : message;
}
