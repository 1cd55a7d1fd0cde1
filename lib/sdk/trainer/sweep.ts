// A sweep: a trainer that runs once for each combination of some settings.
import { randomUUID } from 'node:crypto';
import { type JobGroup, OptionError } from '../../contract/index.js';
import type { Session } from '../session/session.js';
import { kindOf, SettingError, withSettings } from './job-input.js';
import type {
  DpoMethod,
  GrpoMethod,
  LoraOptions,
  SettingOption,
  TrainerOptions,
  TrainerResult,
} from './options.js';
import type { Once, Run, startRun } from './run.js';
import { acceptRun, attachRun, createStart, loadRuns, type StartedSweep, type Trainer } from './trainer.js';

type Choices<T> = { readonly [Name in keyof T]?: readonly NonNullable<T[Name]>[] };

/** The values to try, by trainer option. Those of `method` are of the trainer's own method. */
export type SweepGrid = Choices<
  Omit<Pick<TrainerOptions, SettingOption>, 'from' | 'bestBy'> & { from?: string; bestBy?: string }
> & {
  readonly lora?: Choices<LoraOptions>;
  readonly method?: Choices<
    Omit<DpoMethod, 'type'> & Omit<GrpoMethod, 'type' | 'reward' | 'rewardTimeoutMs' | 'schema'>
  >;
};

export interface Sweep {
  readonly name: string;
  /** The trainer's options. */
  readonly options: TrainerOptions;
  /** The settings that vary, with their values. */
  readonly sweep: readonly VariedOption[];
  /** Queues one job for each combination, as a group; further calls return the same jobs. */
  start(): Promise<{ group: string; jobIds: string[] }>;
  /** Waits for all runs, one after another, and calls the trainer's callbacks. Starts the runs if needed. */
  wait(): Promise<TrainerResult[]>;
  /** Cancels the runs that have not ended, even those of `svc start`. Does nothing before the start. */
  cancel(): Promise<void>;
}

/**
 * Runs a trainer once for each combination of these values: `sweep({ learningRate: [1e-3, 2e-3], lora: { r:
 * [8, 16] } }, trainer)` creates four runs. At most 64.
 */
export function sweep(grid: SweepGrid, trainer: Trainer): Sweep {
  const { name, options } = trainer;
  const varied = readGrid(grid);
  assertGrid(options, varied);
  const started = createStart<StartedSweep>();
  const begin = () =>
    started.current() ??
    started.set(loadRuns(process.cwd()).then(({ session }) => startSweep(options, varied, session)));
  const runs: Sweep = {
    name,
    options,
    sweep: varied,
    async start() {
      const { group, runs } = await begin();
      return { group, jobIds: runs.map(({ run }) => run.job.id) };
    },
    async wait() {
      const { runs } = await begin();
      const results: TrainerResult[] = [];
      try {
        for (const { run } of runs) results.push(await run.wait());
        return results;
      } finally {
        // An abort cancels the queued runs, too. The caller may exit right after this, so the cloud must know first.
        await Promise.all(runs.map(({ run }) => run.aborted()));
      }
    },
    async cancel() {
      await Promise.all(((await started.started())?.runs ?? []).map(({ run }) => run.cancel()));
    },
  };
  return acceptRun(runs, (run, all = run.then(toOnly)) => {
    attachRun(trainer, run);
    started.set(all);
  });
}

/** A run whose settings were all given, which makes it no sweep. */
const toOnly = (run: Run): StartedSweep => ({
  group: run.job.group?.id ?? '',
  runs: [{ run, settings: [] }],
});

function readGrid(grid: SweepGrid): VariedOption[] {
  return Object.entries(grid).flatMap(([name, given]) =>
    given === null || Array.isArray(given) || typeof given !== 'object'
      ? [toVaried(name, given)]
      : Object.entries(given).map(([inner, values]) => toVaried(`${name}.${inner}`, values)),
  );
}

/** Lists as values, such as layers, are written as on the command line. */
function toVaried(name: string, values: unknown): VariedOption {
  if (!Array.isArray(values)) throw new OptionError(`sweep: \`${name}\` must be a list of values.`);
  const written = values.map(value => (Array.isArray(value) ? value.join(',') : value));
  if (!written.every(isSetting))
    throw new OptionError(`sweep: each value of \`${name}\` must be a text, a number, or true or false.`);
  return { name, values: written };
}

function isSetting(value: unknown): value is GroupSetting['value'] {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function assertGrid(options: TrainerOptions, varied: readonly VariedOption[]): void {
  try {
    if (varied.length === 0) throw new SettingError('Name at least one option and its values.');
    for (const { name } of varied) kindOf(name);
    planRuns(options, varied);
  } catch (error) {
    if (error instanceof SettingError) throw new OptionError(`sweep: ${error.message}`);
    throw error;
  }
}

interface Hooks extends Omit<NonNullable<Parameters<typeof startRun>[2]>, 'once'> {
  /** Once aborted, nothing more is queued, and what was queued is canceled. */
  signal?: AbortSignal;
  /** Called before that, if something was queued. */
  onCanceling?: () => void;
}

/** The options of each run. Throws a `SettingError` if a combination is not allowed. */
function planRuns(options: TrainerOptions, varied: readonly VariedOption[]) {
  return combinations(varied).map(settings => ({
    settings,
    options: withSettings(options, Object.fromEntries(settings.map(({ name, value }) => [name, value]))),
  }));
}

/**
 * Queues a sweep's runs as a group, all or none. Throws a `SettingError` before queuing anything if a
 * combination is not allowed.
 */
export async function startSweep(
  options: TrainerOptions,
  varied: readonly VariedOption[],
  session: Session,
  hooks: Hooks = {},
): Promise<StartedSweep> {
  const planned = planRuns(options, varied);
  const { startRun } = await import('./run.js');
  const group = randomUUID();
  const runs: StartedSweep['runs'] = [];
  const once = createOnce();
  try {
    for (const { settings, options } of planned) {
      const labels = { ...hooks.labels, group: { id: group, settings } };
      // All runs share the data.
      const { onReady, ...others } = hooks;
      const own = runs.length === 0 ? hooks : others;
      runs.push({ settings, run: await startRun(options, session, { ...own, once, labels }) });
      hooks.signal?.throwIfAborted();
    }
  } catch (error) {
    if (hooks.signal?.aborted && runs.length > 0) hooks.onCanceling?.();
    await Promise.allSettled(runs.map(({ run }) => run.cancel()));
    throw error;
  }
  return { group, runs };
}

function createOnce(): Once {
  const made = { data: new Map<unknown, Promise<unknown>>(), start: new Map<unknown, Promise<unknown>>() };
  return <T>(kind: keyof typeof made, given: unknown, make: () => Promise<T>) => {
    const known = (made[kind].get(given) as Promise<T> | undefined) ?? make();
    made[kind].set(given, known);
    return known;
  };
}

type GroupSetting = JobGroup['settings'][number];

/** A setting and the values it takes. */
export interface VariedOption {
  readonly name: string;
  readonly values: readonly GroupSetting['value'][];
}

/** Runs take turns, so many of them take hours, and more than this are hard to compare. */
const MOST_RUNS = 64;

/** Every combination of the values; the last setting varies fastest. Throws a `SettingError` if there are too many. */
export function combinations(varied: readonly VariedOption[]): GroupSetting[][] {
  for (const { name, values } of varied) {
    if (values.length === 0) throw new SettingError(`\`${name}\` has no values to try.`);
    const twice = values.find((value, index) => values.indexOf(value) < index);
    if (twice !== undefined) throw new SettingError(`\`${name}\` has the value ${twice} twice.`);
  }
  const count = varied.reduce((product, { values }) => product * values.length, 1);
  if (count > MOST_RUNS)
    throw new SettingError(
      `The sweep has ${count} combinations; at most ${MOST_RUNS} can be queued at once. Vary fewer settings, or give them fewer values.`,
    );
  return varied.reduce<GroupSetting[][]>(
    (runs, { name, values }) => runs.flatMap(run => values.map(value => [...run, { name, value }])),
    [[]],
  );
}
