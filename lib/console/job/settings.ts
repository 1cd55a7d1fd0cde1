// The settings of runs, by API field name: those that differ from the cloud's defaults first.
import { type Job, type JobSettings, MOST_JOB_SETTINGS, startOf } from '../../contract/index.js';
import { fromText } from '../labels.js';
import { formatCount } from '../text/format.js';

interface Setting {
  readonly name: string;
  readonly value: string;
  /** Differs from the default. */
  readonly isCustom: boolean;
}

export type ConfiguredJob = Partial<Pick<Job, 'config' | 'customSettings' | 'fileNames'>>;

/** If a cloud does not report custom settings, they are in the order of the config. */
export function settingRows({ config, customSettings = [], fileNames = {} }: ConfiguredJob): Setting[] {
  const custom = new Set(customSettings);
  const rows = Object.entries(config ?? {})
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ({
      name,
      value: settingText(name, value, fileNames),
      isCustom: custom.has(name),
    }));
  return [...rows.filter(({ isCustom }) => isCustom), ...rows.filter(({ isCustom }) => !isCustom)];
}

/** Conversations are shown elsewhere. */
function settingText(name: string, value: unknown, fileNames: Readonly<Record<string, string>>): string {
  if (name === 'bestBy' && typeof value === 'object' && value !== null) {
    const { score, higher } = value as { score?: unknown; higher?: unknown };
    return `${higher === false ? 'lowest' : 'highest'} ${valueText(score)}`;
  }
  const from = name === 'from' && startOf({ from: value });
  if (from) return fromText(from);
  if (name === 'replaySources' && Array.isArray(value))
    return value.map(({ source }) => settingText('datasetSource', source, fileNames)).join(', ');
  if (name === 'method') return methodText(value as Method);
  const fileName = fileNames[(value as { datasetId?: string }).datasetId ?? ''];
  if (fileName !== undefined) return valueText({ ...(value as object), datasetId: fileName });
  return name === 'samples' && Array.isArray(value) ? formatCount(value.length) : valueText(value);
}

interface Method {
  type?: unknown;
  reward?: { type?: unknown; name?: unknown };
  schema?: unknown;
}

/** `grpo, reward string_check right, group 8, beta 0.04` */
function methodText({ type, reward, schema, ...options }: Method): string {
  const parts = [
    String(type),
    reward && `reward ${reward.type} ${reward.name ?? ''}`.trim(),
    valueText(options),
    schema && 'with a schema',
  ];
  return parts.filter(Boolean).join(', ');
}

/** `upload train.jsonl`, `dpo, beta 0.1`: strings need no label. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, field]) =>
    typeof field === 'string' ? ` ${field}` : `, ${name} ${valueText(field)}`,
  );
  return fields.join('').replace(/^,? /, '');
}

interface VariedSetting {
  readonly name: string;
  /** One value per job, in order; null if the job has none. */
  readonly values: readonly (string | null)[];
}

/**
 * The settings that differ between runs. Those that a job set explicitly come first. Jobs without a config
 * are ignored.
 */
export function variedSettings(jobs: readonly ConfiguredJob[]): VariedSetting[] {
  const known = jobs.map(job => (job.config ? toSettings(job) : null));
  const exact = jobs.map(job => (job.config ? toSettings({ ...job, fileNames: {} }) : null));
  return orderedNames(jobs)
    .map(name => {
      const [values, ids] = [known, exact].map(all => all.map(settings => settings?.get(name) ?? null));
      // Different files may have the same name.
      return { name, values: new Set(values).size < new Set(ids).size ? ids! : values! };
    })
    .filter(({ values }) => new Set(values.filter((_, at) => known[at] !== null)).size > 1);
}

function toSettings(job: ConfiguredJob): Map<string, string> {
  return new Map(settingRows(job).map(({ name, value }) => [name, value]));
}

/** The setting names, in the order of a job that has all of them. */
function orderedNames(jobs: readonly ConfiguredJob[]): string[] {
  const config = Object.assign({}, ...jobs.map(job => job.config ?? {}));
  for (const { config: own } of jobs)
    for (const [name, value] of Object.entries(own ?? {})) config[name] ??= value;
  const customSettings = jobs.flatMap(job => job.customSettings ?? []);
  return settingRows({ config, customSettings }).map(({ name }) => name);
}

/**
 * Caches the settings of listed jobs, fetched only while they are shown. They never change, so each job is
 * fetched once.
 */
interface SettingsBook {
  readonly known: ReadonlyMap<string, JobSettings>;
  /** Fetches missing settings and calls back once they are there. Failed ones are retried next time. */
  want(ids: readonly string[]): Promise<void>;
}

export function createSettingsBook(
  ask: (ids: readonly string[]) => Promise<readonly JobSettings[]>,
  onNews: () => void,
): SettingsBook {
  let known: ReadonlyMap<string, JobSettings> = new Map();
  const requested = new Set<string>();

  async function askFor(ids: readonly string[]): Promise<void> {
    for (const id of ids) requested.add(id);
    try {
      const jobs = await ask(ids);
      known = new Map([...known, ...jobs.map(job => [job.id, job] as const)]);
      onNews();
    } catch {
      for (const id of ids) requested.delete(id);
    }
  }

  return {
    get known() {
      return known;
    },
    async want(ids) {
      const missing = ids.filter(id => !requested.has(id));
      for (let from = 0; from < missing.length; from += MOST_JOB_SETTINGS)
        await askFor(missing.slice(from, from + MOST_JOB_SETTINGS));
    },
  };
}
