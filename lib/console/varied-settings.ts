// The settings in which several runs differ, in the order and the words of their settings.
import { type ConfiguredJob, settingRows } from './settings.js';

interface VariedSetting {
  readonly name: string;
  /** For each of the jobs, in their order: its value, or null if it has none. */
  readonly values: readonly (string | null)[];
}

/** Settings that one of the jobs chose come first. A job without a config makes no difference. */
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

/** The names as one job has them that has them all. */
function orderedNames(jobs: readonly ConfiguredJob[]): string[] {
  const config = Object.assign({}, ...jobs.map(job => job.config ?? {}));
  for (const { config: own } of jobs)
    for (const [name, value] of Object.entries(own ?? {})) config[name] ??= value;
  const customSettings = jobs.flatMap(job => job.customSettings ?? []);
  return settingRows({ config, customSettings }).map(({ name }) => name);
}
