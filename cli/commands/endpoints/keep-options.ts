// `--keep-requests`, `--no-keep-requests` and `--keep-for`: whether an endpoint keeps its requests, and for how long.
import type { CloudDeploymentPatch } from '../../../lib/contract/index.js';
import type { Input } from '../../command.js';
import { createUsageError } from '../../command-error.js';
import { textOption } from '../project/option-values.js';

type Keeping = Pick<CloudDeploymentPatch, 'keepRequests' | 'runRetentionMode' | 'runRetentionDays'>;

/** Only what was given. */
export function readKeeping(input: Pick<Input, 'values'>, where: string): Keeping {
  const { 'keep-requests': keep, 'no-keep-requests': drop } = input.values;
  if (keep && drop)
    throw createUsageError('use either "--keep-requests" or "--no-keep-requests", not both.', where);
  const time = textOption(input, 'keep-for');
  return {
    ...((keep || drop) && { keepRequests: keep === true }),
    ...(time !== undefined && toRetention(time, where)),
  };
}

function toRetention(time: string, where: string): Keeping {
  if (time === 'unlimited') return { runRetentionMode: 'unlimited' };
  if (/^[1-9]\d{0,5}$/.test(time)) return { runRetentionMode: 'days', runRetentionDays: Number(time) };
  throw createUsageError(`option "--keep-for" must be a number of days or unlimited, not "${time}".`, where);
}
