// Job fields as text, columns for the jobs list, and sort orders.
import {
  type FieldKind,
  JOB_FIELDS,
  type JobFieldName,
  type JobSettings,
  type JobSummary,
  jobFieldsWith,
  measuresOf,
} from '../../contract/index.js';
import { groupText, originText, scoreText } from '../labels.js';
import { formatCount, formatDuration, formatLocalTime, formatNumber } from '../text/format.js';
import { variedSettings } from './settings.js';

const MISSING = '–';

/** Formats by kind; other kinds are plain text. */
const TEXTS: { readonly [Kind in FieldKind]?: (value: never) => string } = {
  time: formatLocalTime,
  count: formatCount,
  loss: (loss: number) => formatNumber(loss),
  reward: (reward: number) => formatNumber(reward),
  score: scoreText,
  tags: (tags: readonly string[]) => tags.join(', '),
  group: groupText,
  origin: originText,
};

/** Null if the job has no value. The trainer is shown only if its name differs from the job's. */
export function fieldText(job: JobSummary, name: JobFieldName): string | null {
  const value = job[name] ?? null;
  if (value === null || (name === 'trainer' && value === job.name)) return null;
  const toText = TEXTS[JOB_FIELDS[name].kind] as ((value: unknown) => string) | undefined;
  return (toText ? toText(value) : String(value)) || null;
}

export interface JobColumn {
  readonly key: string;
  readonly title: string;
  readonly text: (job: JobSummary, now: number) => string;
}

const DURATION: JobColumn = {
  key: 'duration',
  title: 'Duration',
  text: (job, now) => {
    const duration = durationMs(job, now);
    return duration === null ? MISSING : formatDuration(duration);
  },
};

const OFFERED = jobFieldsWith('isOffered');

/**
 * Of a terminal, where a long text has no room: a run's cost, and what any of the jobs has. The losses of runs that
 * learn from rewards do not count, as rewards tell more; until a job has one, there are columns for all.
 */
export function terminalColumnKeys(jobs: readonly JobSummary[]): string[] {
  const started = jobs.filter(({ loss }) => loss !== null);
  const judged = started.filter(({ reward }) => reward === null);
  const shown = OFFERED.filter(({ name, kind, edit }) => {
    if (kind === 'loss' && started.length === 0) return true;
    return !edit?.isLong && (kind === 'loss' ? judged : jobs).some(job => fieldText(job, name) !== null);
  });
  return [DURATION.key, ...shown.map(({ name }) => name)];
}

const CHOICES: readonly JobColumn[] = [
  DURATION,
  ...OFFERED.map(({ name, label, final }) => ({
    ...fieldColumn(name, final !== undefined),
    title: final ?? label,
  })),
];

function fieldColumn(name: JobFieldName, isFinal = false): JobColumn {
  return {
    key: name,
    title: JOB_FIELDS[name].label,
    text: job => {
      const text = isFinal && job.status !== 'completed' ? null : fieldText(job, name);
      return text?.replace(/\s+/g, ' ') ?? MISSING;
    },
  };
}

/** Stands for one column per varied setting. */
const SETTINGS_KEY = 'settings';

/** The available columns, in order. */
export const COLUMN_CHOICES: readonly { readonly key: string; readonly label: string }[] = [
  ...CHOICES.map(({ key, title }) => ({ key, label: title })),
  { key: SETTINGS_KEY, label: 'Settings that vary' },
];

/** `duration,loss`; ignores unknown names. */
export function readColumns(text: string): string[] {
  const keys = text.split(',');
  return COLUMN_CHOICES.map(({ key }) => key).filter(key => keys.includes(key));
}

export function toggleColumn(chosen: readonly string[], key: string): string[] {
  return readColumns(
    (chosen.includes(key) ? chosen.filter(other => other !== key) : [...chosen, key]).join(','),
  );
}

export function wantsSettings(chosen: readonly string[]): boolean {
  return chosen.includes(SETTINGS_KEY);
}

/** The columns to add. `settings` holds those of the listed jobs that are loaded. */
export function jobColumns(
  chosen: readonly string[],
  jobs: readonly JobSummary[],
  settings: ReadonlyMap<string, JobSettings>,
): JobColumn[] {
  const own: JobColumn[] = CHOICES.filter(({ key }) => chosen.includes(key));
  return wantsSettings(chosen) ? [...own, ...settingColumns(jobs, settings)] : own;
}

function settingColumns(
  jobs: readonly JobSummary[],
  settings: ReadonlyMap<string, JobSettings>,
): JobColumn[] {
  return variedSettings(jobs.map(({ id }) => settings.get(id) ?? {})).map(({ name, values }) => {
    const byId = new Map(jobs.map(({ id }, index) => [id, values[index]]));
    return { key: `setting:${name}`, title: name, text: ({ id }) => byId.get(id) ?? MISSING };
  });
}

/** Measured up to now if the job is still running. */
function durationMs({ startedAt, completedAt }: JobSummary, now: number): number | null {
  if (startedAt === null) return null;
  return (completedAt === null ? now : Date.parse(completedAt)) - Date.parse(startedAt);
}

/** What is known of how well the model does; `final` stands before each. */
export function outcomeTexts(outcome: Outcome, before = ''): string[] {
  return measuresOf(outcome)
    .toReversed()
    .flatMap(({ name, words }) => {
      const value = outcome[name];
      return value == null ? [] : [`${before}${words} ${formatNumber(value)}`];
    });
}

type Outcome = { [Name in 'loss' | 'evalLoss' | 'reward' | 'evalReward']?: number | null | undefined };

/** Jobs without a value come last. The API lists jobs newest first; any unknown sort key keeps that order. */
export function sortJobs(jobs: readonly JobSummary[], by: string, now: number): readonly JobSummary[] {
  const field = jobFieldsWith('sort').find(({ sort }) => sort === by);
  if (!field) return jobs;
  return jobs
    .map(job => ({ job, value: sortValue(job, field.name, now) }))
    .sort((a, b) => compare(a.value, b.value))
    .map(({ job }) => job);
}

/** The column for the sort key; a loss is the current one. Null for columns that the list has anyway. */
export function sortColumn(by: string): JobColumn | null {
  const field = jobFieldsWith('sort').find(({ sort }) => sort === by);
  if (field?.kind === 'time') return DURATION;
  return field?.isOffered && !field.isOccasional ? fieldColumn(field.name) : null;
}

/** Sorts the best score and the highest reward first. */
function sortValue(job: JobSummary, name: JobFieldName, now: number): string | number | null {
  const { bestScore } = job;
  if (name === 'startedAt') return durationMs(job, now);
  if (name === 'bestScore') return bestScore && (bestScore.higher ? -bestScore.value : bestScore.value);
  const value = job[name];
  if (JOB_FIELDS[name].kind === 'reward' && typeof value === 'number') return -value;
  return typeof value === 'number' ? value : (fieldText(job, name)?.toLowerCase() ?? null);
}

function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
