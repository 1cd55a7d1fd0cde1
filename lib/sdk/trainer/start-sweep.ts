// Queues the runs of a sweep as a group. Either all of them are queued, or none stays.
import { randomUUID } from 'node:crypto';
import type { JobGroup } from '../../contract/index.js';
import type { Session } from '../session/session.js';
import { combinations, type VariedOption } from './combinations.js';
import type { TrainerOptions } from './options.js';
import { type Run, startRun } from './run.js';
import { withSettings } from './settings.js';

interface SweepRun {
  run: Run;
  settings: JobGroup['settings'];
}

export interface StartedSweep {
  group: string;
  runs: SweepRun[];
}

type Hooks = NonNullable<Parameters<typeof startRun>[2]>;

/** The options of each run. Throws a `SettingError` if one of the combinations is not allowed. */
export function planRuns(options: TrainerOptions, varied: readonly VariedOption[]) {
  return combinations(varied).map(settings => ({
    settings,
    options: withSettings(options, Object.fromEntries(settings.map(({ name, value }) => [name, value]))),
  }));
}

/** Throws a `SettingError` before anything is queued if one of the combinations is not allowed. */
export async function startSweep(
  options: TrainerOptions,
  varied: readonly VariedOption[],
  session: Session,
  hooks: Hooks = {},
): Promise<StartedSweep> {
  const planned = planRuns(options, varied);
  const group = randomUUID();
  const runs: SweepRun[] = [];
  try {
    for (const { settings, options } of planned) {
      const labels = { ...hooks.labels, group: { id: group, settings } };
      // The data is the same for all of them.
      const { onReady, ...others } = hooks;
      const own = runs.length === 0 ? hooks : others;
      runs.push({ settings, run: await startRun(options, session, { ...own, labels }) });
    }
  } catch (error) {
    await Promise.allSettled(runs.map(({ run }) => run.cancel()));
    throw error;
  }
  return { group, runs };
}
