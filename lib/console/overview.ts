// The overview: short texts about runs and endpoints, and its rows in the terminal: the project's trainer,
// the current run, and recent activity.
import {
  type Identity,
  type JobStatus,
  type JobSummary,
  type Manifest,
  measuresOf,
  type Overview,
  type ServedModelFacts,
} from '../contract/index.js';
import { modelSummaryRows } from './base-model.js';
import { sparkLevels } from './chart/plot.js';
import type { MetricSeries } from './chart/series.js';
import { fixText, groupText, type NoRunAction, periodText, START_COMMAND, scoreText } from './labels.js';
import { displayWidth } from './text/display-width.js';
import {
  formatBytes,
  formatCount,
  formatLocalTime,
  formatNumber,
  formatRelativeTime,
  plural,
} from './text/format.js';
import { fitText, paragraphRows, problemRows, type Span, type Style } from './text/spans.js';
import { isReady, runOutcome, type TrainingState } from './train-view.js';

type Trainer = NonNullable<Manifest['trainer']>;

/** A trainer's settings before it has run: `svc/tiny · 100 steps · train.jsonl (12 kB)` */
export function trainerText({ model, maxSteps, data }: Trainer): string {
  const parts = [model, maxSteps === undefined ? '' : plural(maxSteps, 'step'), dataText(data)];
  return parts.filter(Boolean).join(' · ');
}

function dataText({ name = '', rows, bytes }: NonNullable<Trainer['data']> = {}): string {
  if (rows !== undefined) return plural(rows, 'row');
  return bytes === undefined ? name : `${name} (${formatBytes(bytes)})`;
}

/** A running job's progress, or what it is waiting for, and the settings that its sweep gave it: what is last is cut first. */
export function underWayText(job: JobSummary): string {
  const { status, group, waitingFor } = job;
  const progress = status === 'queued' ? [waitingFor ?? 'Waiting in the queue.'] : progressTexts(job);
  return [...progress, group && groupText(group)].filter(Boolean).join(' · ');
}

function progressTexts(job: JobSummary) {
  const { step, totalSteps, waitingFor } = job;
  const done = formatCount(step ?? 0);
  const { name, words } = measuresOf(job)[1];
  const value = job[name];
  return [
    totalSteps === null ? `step ${done}` : `step ${done} of ${formatCount(totalSteps)}`,
    value === null ? null : `${words} ${formatNumber(value)}`,
    waitingFor,
  ];
}

/** A finished run's result and age, and then the same settings. */
export function resultText(job: JobSummary, now: Date): string {
  const { status, error, completedAt, group } = job;
  const [reason = ''] = (error ?? '').split('\n');
  const parts = [
    status === 'failed' ? reason : bestText(job),
    completedAt === null ? '' : formatRelativeTime(completedAt, now),
    group && groupText(group),
  ];
  return parts.filter(Boolean).join(' · ');
}

function bestText(job: JobSummary): string {
  if (job.bestScore) return `best ${scoreText(job.bestScore)}`;
  const taken = measuresOf(job).find(({ best }) => job[best] !== null);
  return taken ? `best ${taken.words} ${formatNumber(job[taken.best]!)}` : '';
}

type OverviewEndpoint = Overview['endpoints'][number];

export function requestsText(
  { enabled, requests, failed }: OverviewEndpoint,
  { countedSince }: Pick<Overview, 'countedSince'>,
): string {
  if (!enabled) return 'disabled';
  const text = `${plural(requests, 'request')} ${periodText(countedSince)}`;
  return failed === 0 ? text : `${text}, ${formatCount(failed)} failed`;
}

/** Sorted by number of calls, then newest first. */
export function busiestEndpoints({ endpoints }: Overview, most: number): OverviewEndpoint[] {
  return endpoints.toSorted((a, b) => b.requests - a.requests).slice(0, most);
}

export function hasActivity({ running, recent, endpoints }: Overview): boolean {
  return running.length + recent.length + endpoints.length > 0;
}

interface Signs {
  readonly status: Readonly<Record<JobStatus, string>>;
  /** The sparkline characters, from lowest to highest. */
  readonly spark: string;
}

interface TrainerOptions {
  readonly identity: Identity | null;
  /** Facts of the base model, if the cloud has told them. */
  readonly modelFacts?: ServedModelFacts | null;
  readonly width: number;
  /** The height of the whole overview. */
  readonly height: number;
  readonly signs: Signs;
}

const DIM: Style = { dim: true };
/** Below this height, the rows are reserved for live data. */
const ROOMY = 14;

/**
 * The run that the trainer would start, the cloud for training and serving, and the last result: in at most
 * half of the height.
 */
export function trainerRows(
  state: TrainingState,
  { identity, modelFacts, width, height, signs }: TrainerOptions,
): Span[][] {
  const limit = Math.max(1, Math.floor(height / 2) - 3);
  const before = [
    ...actionRows(state, width, limit),
    ...(identity && height >= ROOMY ? cloudRows(identity, width) : []),
  ];
  const after = [
    ...runRows(state, signs),
    ...(state.problem === null ? [] : problemRows(state.problem, signs.status.failed, width, limit)),
  ];
  const room = Math.max(1, limit + 1 - before.length - after.length);
  const facts = modelFacts && height >= ROOMY ? modelRows(modelFacts, width, room) : [];
  return [...before, ...facts, ...after];
}

/** The cloud for training and serving: in one row if possible, dropping the obvious if needed. */
function cloudRows({ baseModel, deploymentDomain }: Identity, width: number): Span[][] {
  const [model, domain] = [baseModel && `base model ${baseModel}`, `endpoints at ${deploymentDomain}`];
  const both = [model, deploymentDomain && domain].filter(Boolean) as string[];
  const inOne = [both.join(' · '), `${baseModel} · ${domain}`].find(text => displayWidth(text) <= width);
  return (inOne === undefined ? both : [inOne]).filter(Boolean).map(text => [{ text, style: DIM }]);
}

/** The facts of the base model, in a paragraph of as many rows as there is room for. */
function modelRows(facts: ServedModelFacts, width: number, most: number): Span[][] {
  const [model, ...others] = modelSummaryRows(facts);
  const text = [model!.value, ...others.map(({ label, value }) => `${label.toLowerCase()}: ${value}`)].join(
    ' · ',
  );
  return paragraphRows(text, width, most).map(row => [{ text: row, style: DIM }]);
}

const MESSAGES: Readonly<Record<NoRunAction['kind'], Style>> = {
  new: {},
  broken: { tone: 'failed' },
  unread: { tone: 'failed' },
  missing: { tone: 'warning' },
};

function actionRows(state: TrainingState, width: number, limit: number): Span[][] {
  const { action, trainer, isSlow } = state;
  if (!action) return [[{ text: isSlow ? 'Loading…' : ' ', style: DIM }]];
  if (action.kind !== 'ready') {
    const isNew = action.kind === 'new';
    const style = MESSAGES[action.kind];
    const start = [
      { text: `  ${START_COMMAND}`, style: { bold: true } },
      { text: '   c copies it. Then press r, and R to train.', style: DIM },
    ];
    const fix = [{ text: fixText(action, 'press r'), style: DIM }];
    const most = isNew ? undefined : Math.max(1, limit - 1);
    return [
      ...paragraphRows(action.message, width, most).map(text => [{ text, style }]),
      isNew ? start : fix,
    ];
  }
  const canRun = isReady(state);
  const label = canRun ? ` ${action.label}` : action.label;
  const about = isSlow ? 'reloading the project…' : trainer ? trainerText(trainer) : '';
  const indent = Math.max(0, Math.min(3, width - displayWidth(about)));
  const facts = { text: ' '.repeat(indent) + about, style: DIM };
  const run = [
    ...(canRun ? [{ text: ' R ', style: { inverse: true } }] : []),
    { text: label, style: canRun ? { bold: true } : DIM },
  ];
  return displayWidth(label + about) + 6 <= width ? [[...run, facts]] : [run, [facts]];
}

function runRows({ status }: TrainingState, signs: Signs): Span[][] {
  const outcome = runOutcome(status);
  if (!status || !outcome) return [];
  const { startedAt, jobId } = status;
  return [
    [
      { text: `${signs.status[outcome.state]} ${outcome.text}`, style: { tone: outcome.state } },
      { text: startedAt === null ? '' : `, started ${formatLocalTime(startedAt)}`, style: DIM },
    ],
    ...(jobId === null ? [] : [[{ text: `  job ${jobId}`, style: DIM }]]),
  ];
}

interface ActivityOptions {
  /** The job whose losses are available. */
  readonly watched: string | null;
  readonly losses: MetricSeries | null;
  readonly now: Date;
  readonly width: number;
  /** The width of the name column. */
  readonly column: number;
  readonly signs: Signs;
}

const MOST_RESULTS = 3;
const MOST_ENDPOINTS = 3;
const STATUS = 11;
const [LEAST_NAME, MOST_NAME] = [12, 24];
/** The usual width of the text about a run. */
const USUAL_ABOUT = 30;
const SPARK = { least: 8, widest: 40 };

/** Running jobs, latest results and the busiest endpoints. */
export function activityRows(activity: Overview, options: Omit<ActivityOptions, 'column'>): Span[][] {
  const { running } = activity;
  const recent = activity.recent.slice(0, MOST_RESULTS);
  const endpoints = busiestEndpoints(activity, MOST_ENDPOINTS);
  const names = [...[...running, ...recent].map(({ name }) => name), ...endpoints.map(({ slug }) => slug)];
  const free = Math.max(LEAST_NAME, options.width - STATUS - 4 - USUAL_ABOUT);
  const column = Math.min(MOST_NAME, free, Math.max(...names.map(displayWidth)));
  return [
    ...running.map(job => jobRow(job, underWayText(job), { ...options, column })),
    ...recent.map(job => jobRow(job, resultText(job, options.now), { ...options, column })),
    ...endpoints.map(endpoint => [
      { text: `${fitText('endpoint', STATUS)}  `, style: DIM },
      { text: fitText(endpoint.slug, column) },
      { text: `  ${requestsText(endpoint, activity)}`, style: DIM },
    ]),
  ];
}

function jobRow(
  { id, name, status }: JobSummary,
  about: string,
  { watched, losses, width, column, signs }: ActivityOptions,
): Span[] {
  const taken = STATUS + 2 + column + 2 + displayWidth(about);
  const room = Math.min(SPARK.widest, width - taken - 2);
  const row: Span[] = [
    {
      text: `${fitText(`${signs.status[status]} ${status}`, STATUS)}  `,
      style: status === 'queued' ? DIM : { tone: status },
    },
    { text: fitText(name, column) },
    { text: `  ${about}`, style: DIM },
  ];
  if (!losses || id !== watched || room < SPARK.least) return row;
  const spark = sparkLevels(losses, room, signs.spark.length).map(level => signs.spark[level]);
  return [...row, { text: ' '.repeat(width - taken - room) + spark.join(''), style: { tone: 'training' } }];
}
