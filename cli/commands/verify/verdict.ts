// What svc verify found, as text.
import { formatCount, formatNumber, plural } from '../../../lib/console/index.js';
import { JOB_FIELDS } from '../../../lib/contract/index.js';
import { type Style, toSafeLine } from '../../style.js';
import { type ChangedInput, type Difference, TOLERANCE } from './compare-runs.js';

export interface Verdict {
  verified: boolean;
  jobId: string;
  /** The new job; null if it could not be created. */
  repeatedAs: string | null;
  /** Whether the losses must match bit for bit. */
  exact: boolean;
  tolerance: number;
  /** How many logged steps were compared. */
  compared: number;
  differences: Difference[];
  /** Whether the final adapters are identical; null if they were not compared. */
  sameAdapter: boolean | null;
  changed: ChangedInput[];
  /** Why the repetition stopped before the original's last step. */
  error: string | null;
}

const MOST_SHOWN = 10;

/** `hasRewards`: the runs learn from rewards, which are compared, too. */
export function renderVerdict(verdict: Verdict, hasRewards: boolean, style: Style): string {
  const { verified, differences, changed, error, repeatedAs } = verdict;
  const head = headline(verdict, hasRewards);
  const lines = [
    verified ? style.green(`✓ ${head}`) : style.red(`✗ ${head}`),
    ...(error === null ? [] : [toSafeLine(error)]),
    ...differences.slice(0, MOST_SHOWN).map(describeDifference),
    ...(differences.length > MOST_SHOWN
      ? [`… and ${formatCount(differences.length - MOST_SHOWN)} more`]
      : []),
    ...(changed.length > 0 ? ['', style.bold('Changed since then'), ...changed.map(describeChange)] : []),
    ...(repeatedAs === null ? [] : ['', style.dim(`Repeated as job ${repeatedAs}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

function headline(
  { verified, error, exact, compared, differences, sameAdapter, repeatedAs }: Verdict,
  hasRewards: boolean,
): string {
  if (repeatedAs === null) return 'The job cannot be repeated';
  if (error !== null) return 'The repeated run did not get as far';
  const steps = plural(compared, 'logged step');
  const measures = hasRewards ? 'rewards and losses' : 'losses';
  if (verified && exact)
    return `The same ${measures}, bit for bit, at ${steps}${sameAdapter ? ', and the same adapter' : ''}`;
  if (verified)
    return `The same ${measures} within ${100 * TOLERANCE} % at ${steps}; the machine is not known to be of the same kind`;
  if (differences.length === 0) return `The ${measures} are the same, but the adapters differ`;
  const how = exact ? '' : ` by more than ${100 * TOLERANCE} %`;
  return `${plural(differences.length, 'value')} of ${steps} differ${how}`;
}

function describeDifference({ step, what, before, after }: Difference): string {
  return `  step ${formatCount(step)}: ${JOB_FIELDS[what].label.toLowerCase()} ${valueText(before)} → ${valueText(after)}`;
}

function describeChange({ input, before, after }: ChangedInput): string {
  return `  ${input}: ${toSafeLine(valueText(before))} → ${toSafeLine(valueText(after))}`;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'number') return formatNumber(value, 9);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}
