// The rows of the job sidebar. Unknown values are omitted, except those that every job has.
import { JOB_FIELDS, jobFieldsWith, MEASURES, startOf } from '../../contract/index.js';
import { fromText, originText, providerName, scoreText } from '../labels.js';
import type { Location } from '../tabs.js';
import { taskText } from '../task-text.js';
import { deviceText } from '../text/device.js';
import { countText, formatCount, formatDuration, formatLocalTime, formatNumber } from '../text/format.js';
import { longRowsText, readCountText } from '../text/row-reading.js';
import { fieldText } from './job-columns.js';
import { type JobView, shownStatus, shownWait } from './job-view.js';
import { type LossAt, runSummary } from './run-summary.js';

interface MetadataRow {
  readonly label: string;
  readonly value: string;
  /** The page of what it names. */
  readonly to?: Location;
}

type Values = Readonly<Record<string, string | null>>;

const UNKNOWN = '–';

/** The artifact count is known once training has ended. */
export function metadataRows(view: JobView, id: string, now = Date.now()): MetadataRow[] {
  const { polled, preparing, tooLong, weights, device, started } = view;
  const artifacts = artifactCount(view);
  const facts = polled && jobFieldsWith('isFact').map(({ name, label }) => [label, fieldText(polled, name)]);
  const values: Values = {
    ...(facts && Object.fromEntries(facts)),
    Task: polled?.task ? taskText(polled.task) : null,
    ...originValues(view),
    ...startValues(view),
    Waiting: shownWait(view),
    ...runValues(view, now),
    'Rows read': preparing ? readCountText(preparing) : null,
    'Data set': started.dataset ?? null,
    Rows: countText(started.rows),
    'Replayed rows': countText(started.replayedRows),
    'Eval rows': countText(started.evalRows),
    'Learned tokens':
      started.trainTokens === undefined ? null : `${formatCount(started.trainTokens)} per epoch`,
    'Too long': tooLong ? longRowsText(tooLong) : null,
    Weights: weights,
    Device: device && deviceText(device),
    Artifacts: artifacts === null ? UNKNOWN : formatCount(artifacts),
    Created: polled ? formatLocalTime(polled.createdAt) : UNKNOWN,
    ID: id,
  };
  const links: Readonly<Record<string, Location | null>> = { From: startPage(view) };
  return Object.entries(values).flatMap(([label, value]) => {
    const to = links[label];
    return value === null ? [] : { label, value, ...(to && { to }) };
  });
}

/** The page of the job that the run went on from; null if it began with a new adapter. */
export function startPage({ polled }: JobView): Location | null {
  const from = startOf(polled?.config);
  return from && { tab: 'jobs', id: from.jobId };
}

/** Of an adapter, or of a run of another provider, which has none here. */
function originValues({ polled, imported }: JobView): Values {
  const origin = polled?.origin ?? null;
  if (!origin) return { Origin: imported ? 'imported' : null };
  return {
    Origin: originText(origin),
    'Original ID': origin.id,
    Model: origin.fineTunedModel,
    Adapter: `stays at ${providerName(origin)}`,
  };
}

/** What the run went on from. */
function startValues({ polled }: JobView): Values {
  const from = startOf(polled?.config);
  const optimizer = polled?.config?.keepOptimizer === true ? ', with its optimizer' : '';
  return { From: from && `${fromText(from)}${optimizer}` };
}

function runValues(view: JobView, now: number): Values {
  const summary = runSummary(view, now);
  const { step, totalSteps, elapsedMs, leftMs, tokensPerSecond, stepSeconds, scores } = summary;
  return {
    Step: step === null ? UNKNOWN : stepText(step, totalSteps),
    Elapsed: elapsedMs === null ? null : wholeSeconds(elapsedMs),
    'Time left': leftMs === null ? null : wholeSeconds(leftMs),
    Speed: tokensPerSecond === null ? null : `${formatNumber(tokensPerSecond, 3)} tokens/s (last step)`,
    'A step': stepSeconds && stepSecondsText(stepSeconds),
    ...resultValues(summary),
    Scores: scores.length === 0 ? null : scores.map(scoreText).join(', '),
  };
}

type Summary = ReturnType<typeof runSummary>;

/** `8.4 s: 6.1 s answers, 120 ms rewards, 2.2 s training` */
function stepSecondsText({ rollout, reward, training }: NonNullable<Summary['stepSeconds']>): string {
  const [whole, ...parts] = [rollout + reward + training, rollout, reward, training].map(seconds =>
    formatDuration(1000 * seconds),
  );
  const names = ['answers', 'rewards', 'training'];
  return `${whole}: ${parts.map((part, i) => `${part} ${names[i]}`).join(', ')}`;
}

function resultValues({ bestScore, rewards, ...losses }: Summary): Values {
  const [heldOut, training] = rewards ? MEASURES.rewards : MEASURES.losses;
  const { latest, best, bestEval, final, finalEval } = rewards ?? losses;
  return {
    [JOB_FIELDS[training.name].label]: final ? null : valueText(latest),
    // What decides which adapter is best.
    ...(bestScore
      ? { 'Best score': `${scoreText(bestScore)} at step ${formatCount(bestScore.step)}` }
      : { [JOB_FIELDS[(bestEval ? heldOut : training).best].label]: valueText(bestEval ?? best) }),
    [JOB_FIELDS[training.name].final]: valueText(final),
    [JOB_FIELDS[heldOut.name].final]: valueText(finalEval),
  };
}

/** Whole seconds, because tenths of an estimate would flicker. */
function wholeSeconds(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}

function valueText(loss: LossAt | null): string | null {
  return loss && `${formatNumber(loss.value)} at step ${formatCount(loss.step)}`;
}

/** Whether the job has a final adapter to chat with or publish. */
export function hasFinalAdapter(view: JobView): boolean {
  const isElsewhere = (view.polled?.origin ?? null) !== null;
  return shownStatus(view) === 'completed' && artifactCount(view) !== 0 && !isElsewhere;
}

/** For a run that did not complete, the cloud provides the count. */
export function artifactCount(view: JobView): number | null {
  const status = shownStatus(view);
  const didNotComplete = status === 'failed' || status === 'cancelled';
  return didNotComplete ? (view.polled?.artifactCount ?? view.artifactCount) : view.artifactCount;
}

function stepText(step: number, total: number | null): string {
  return total ? `${formatCount(step)} of ${formatCount(total)}` : formatCount(step);
}
