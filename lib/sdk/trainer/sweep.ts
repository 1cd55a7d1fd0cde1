// A sweep in a program: a trainer that is run once for each combination of some settings.
import { openSession } from '../session/session.js';
import type { VariedOption } from './combinations.js';
import type { DpoMethod, LoraOptions, TrainerOptions, TrainerResult } from './options.js';
import { assertSettingName, SettingError, type SettingOption } from './settings.js';
import { planRuns, type StartedSweep, startSweep } from './start-sweep.js';
import type { Trainer } from './trainer.js';

type Choices<T> = { readonly [Name in keyof T]?: readonly NonNullable<T[Name]>[] };

/** The values to try, by the names of the trainer's options. */
export type SweepGrid = Choices<Pick<TrainerOptions, SettingOption>> & {
  readonly lora?: Choices<LoraOptions>;
  readonly method?: Choices<Omit<DpoMethod, 'type'>>;
};

export interface Sweep {
  readonly name: string;
  /** Those of its trainer. */
  readonly options: TrainerOptions;
  /** What varies, and the values. */
  readonly sweep: readonly VariedOption[];
  /** Queues one job for each combination, as a group; further calls return the same ones. */
  start(): Promise<{ group: string; jobIds: string[] }>;
  /** Waits for all of them, one after another, and calls the trainer's callbacks. Starts them if needed. */
  wait(): Promise<TrainerResult[]>;
  /** Cancels those that have not ended. Does nothing before the start. */
  cancel(): Promise<void>;
}

/**
 * Runs a trainer once for each combination of these values:
 * `sweep({ learningRate: [1e-3, 2e-3], lora: { r: [8, 16] } }, trainer)` are four runs. At most 64.
 */
export function sweep(grid: SweepGrid, trainer: Trainer): Sweep {
  const { name, options } = trainer;
  const varied = readGrid(grid);
  assertGrid(options, varied);
  let started: Promise<StartedSweep> | undefined;
  const begin = () => {
    started ??= startSweep(options, varied, openSession({ folder: process.cwd(), env: process.env }));
    return started;
  };
  return {
    name,
    options,
    sweep: varied,
    async start() {
      const { group, runs } = await begin();
      return { group, jobIds: runs.map(({ run }) => run.job.id) };
    },
    async wait() {
      const results: TrainerResult[] = [];
      for (const { run } of (await begin()).runs) results.push(await run.wait());
      return results;
    },
    async cancel() {
      await Promise.all(((await started)?.runs ?? []).map(({ run }) => run.cancel()));
    },
  };
}

function readGrid(grid: SweepGrid): VariedOption[] {
  return Object.entries(grid).flatMap(([name, given]) =>
    given === null || Array.isArray(given) || typeof given !== 'object'
      ? [toVaried(name, given)]
      : Object.entries(given).map(([inner, values]) => toVaried(`${name}.${inner}`, values)),
  );
}

/** A list as a value, such as layers, is written as it is on the command line. */
function toVaried(name: string, values: unknown): VariedOption {
  if (!Array.isArray(values)) throw new TypeError(`sweep: \`${name}\` must be a list of values.`);
  return { name, values: values.map(value => (Array.isArray(value) ? value.join(',') : value)) };
}

function assertGrid(options: TrainerOptions, varied: readonly VariedOption[]): void {
  try {
    if (varied.length === 0) throw new SettingError('Name at least one option and its values.');
    for (const { name } of varied) assertSettingName(name);
    planRuns(options, varied);
  } catch (error) {
    if (error instanceof SettingError) throw new TypeError(`sweep: ${error.message}`);
    throw error;
  }
}
