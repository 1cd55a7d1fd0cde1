// The columns that a user may add to the jobs list: what a run took, what it reached, and the settings that vary.
import type { JobSettings, JobSummary } from '../../contract/index.js';
import { scoreText } from '../labels.js';
import { formatDuration, formatNumber } from '../text/format.js';
import { variedSettings } from './settings.js';

const MISSING = '–';

type Cell = (job: JobSummary, now: number) => string;

const CHOICES = [
  { key: 'duration', title: 'Duration', text: durationText },
  { key: 'loss', title: 'Final loss', text: job => (isDone(job) ? lossText(job.loss) : MISSING) },
  {
    key: 'evalLoss',
    title: 'Final eval loss',
    text: job => (isDone(job) ? lossText(job.evalLoss) : MISSING),
  },
  { key: 'bestLoss', title: 'Best loss', text: job => lossText(job.bestLoss) },
  { key: 'bestEvalLoss', title: 'Best eval loss', text: job => lossText(job.bestEvalLoss) },
  {
    key: 'bestScore',
    title: 'Best score',
    text: ({ bestScore }) => (bestScore ? scoreText(bestScore) : MISSING),
  },
  { key: 'note', title: 'Note', text: ({ note }) => note?.replace(/\s+/g, ' ') ?? MISSING },
] as const satisfies readonly { key: string; title: string; text: Cell }[];

/** Stands for one column for each setting that varies. */
const SETTINGS_KEY = 'settings';

/** What can be chosen, in the order of the columns. */
export const COLUMN_CHOICES: readonly { readonly key: string; readonly label: string }[] = [
  ...CHOICES.map(({ key, title }) => ({ key, label: title })),
  { key: SETTINGS_KEY, label: 'Settings that vary' },
];

export interface JobColumn {
  readonly key: string;
  readonly title: string;
  readonly text: Cell;
}

/** `duration,loss`; what is unknown is left out. */
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

/** The columns to add. `settings` has those of the listed jobs, as far as they are known. */
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

const isDone = ({ status }: JobSummary) => status === 'completed';

function lossText(loss: number | null): string {
  return loss === null ? MISSING : formatNumber(loss);
}

/** Until now, if it still runs. */
function durationText({ startedAt, completedAt }: JobSummary, now: number): string {
  return startedAt === null
    ? MISSING
    : formatDuration((completedAt === null ? now : Date.parse(completedAt)) - Date.parse(startedAt));
}
