// The settings of the jobs in a list, asked for only while somebody looks at them. They never change, so each job is asked
// about once.
import { type JobSettings, MOST_JOB_SETTINGS } from '../contract/index.js';

interface SettingsBook {
  readonly known: ReadonlyMap<string, JobSettings>;
  /** Asks for those that are not known, and calls back once they are. Those that were refused are asked for again next time. */
  want(ids: readonly string[]): Promise<void>;
}

export function createSettingsBook(
  ask: (ids: readonly string[]) => Promise<readonly JobSettings[]>,
  onNews: () => void,
): SettingsBook {
  let known: ReadonlyMap<string, JobSettings> = new Map();
  const asked = new Set<string>();

  async function askFor(ids: readonly string[]): Promise<void> {
    for (const id of ids) asked.add(id);
    try {
      const jobs = await ask(ids);
      known = new Map([...known, ...jobs.map(job => [job.id, job] as const)]);
      onNews();
    } catch {
      for (const id of ids) asked.delete(id);
    }
  }

  return {
    get known() {
      return known;
    },
    async want(ids) {
      const missing = ids.filter(id => !asked.has(id));
      for (let from = 0; from < missing.length; from += MOST_JOB_SETTINGS)
        await askFor(missing.slice(from, from + MOST_JOB_SETTINGS));
    },
  };
}
