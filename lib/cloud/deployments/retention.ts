// How long requests are kept, if they are. Mode and days must fit together.
import { ApiError, type Deployment } from '../../contract/index.js';

interface Retention {
  mode: Deployment['runRetentionMode'];
  days: number | null;
}

interface RetentionInput {
  runRetentionMode?: Retention['mode'] | undefined;
  runRetentionDays?: number | null | undefined;
}

const DEFAULT: Retention = { mode: 'days', days: 7 };

/** Whether requests are kept after a request; not unless somebody asked for it. Throws if the retention is `disabled`. */
export function decideKeeping(
  given: boolean | undefined,
  current: { keep_requests: 0 | 1 } | null,
  { mode }: Retention,
): 0 | 1 {
  const keeps = given ?? current?.keep_requests === 1;
  if (keeps && mode === 'disabled')
    throw new ApiError(
      'invalid_value',
      '`keepRequests` must be false when `runRetentionMode` is `disabled`.',
      {
        param: 'keepRequests',
      },
    );
  return keeps ? 1 : 0;
}

/** The settings after a request; `current` is null for a new deployment. Throws if mode and days do not fit. */
export function decideRetention(given: RetentionInput, current: Retention | null): Retention {
  const { runRetentionMode, runRetentionDays } = given;
  if (runRetentionMode === undefined && runRetentionDays === undefined) return current ?? DEFAULT;
  const mode = runRetentionMode ?? (current ?? DEFAULT).mode;
  const kept = current?.mode === mode ? current.days : null;
  const days = runRetentionDays === undefined ? kept : runRetentionDays;
  if (mode === 'days' && days === null)
    throw unfit('must be a number of days when `runRetentionMode` is `days`');
  if (mode !== 'days' && days !== null)
    throw unfit(`must be omitted when \`runRetentionMode\` is \`${mode}\``);
  return { mode, days };
}

function unfit(problem: string): ApiError {
  return new ApiError('invalid_value', `\`runRetentionDays\` ${problem}.`, { param: 'runRetentionDays' });
}
