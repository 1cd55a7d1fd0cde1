// The runs of a sweep: every combination of the values of some settings.
import type { JobGroup } from '../../contract/index.js';
import { SettingError } from './settings.js';

type GroupSetting = JobGroup['settings'][number];

/** A setting with the values that it takes in turn. */
export interface VariedOption {
  readonly name: string;
  readonly values: readonly GroupSetting['value'][];
}

/** One after another, they take hours; and more cannot be compared at a glance. */
const MOST_RUNS = 64;

/** The last setting varies fastest. Throws a `SettingError` if there are too many. */
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
