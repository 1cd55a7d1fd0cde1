// Text for a run's events and for its end.
import {
  formatBytes,
  formatDuration,
  formatNumber,
  plural,
  type ScoreAt,
  scoreText,
  shortId,
} from '../../../lib/console/index.js';
import type { Artifact, JobEvent, LongRows } from '../../../lib/contract/index.js';
import type { TrainerResult } from '../../../lib/sdk/index.js';
import { toSafeLine } from '../../style.js';
import type { Progress } from '../training/progress.js';
import { evalLossText, lossText, remainingText, speedText, stepsText } from '../training/progress-text.js';

type EventOf<Type extends JobEvent['type']> = Extract<JobEvent, { type: Type }>;

/** Null for events without their own line. */
export function eventText(event: JobEvent, progress: Progress): string | null {
  switch (event.type) {
    case 'training.started':
      return startText(event);
    case 'training.log':
      return logText(event, progress);
    case 'checkpoint.saved':
      return `step ${event.step}  checkpoint saved`;
    case 'sample.generated':
      return sampleText(event);
    case 'score.recorded':
      return `step ${event.step}  ${toSafeLine(event.name)} ${formatNumber(event.value)}`;
    default:
      return null;
  }
}

function startText(event: EventOf<'training.started'>): string {
  const { model, totalSteps, trainableParameters, trainTokens, resumedFromStep } = event;
  if (resumedFromStep !== undefined)
    return `${damageText(event)}Resuming training after step ${resumedFromStep}.`;
  const parameters = plural(trainableParameters, 'trainable parameter');
  const size = trainTokens === null ? parameters : `${parameters}, ${plural(trainTokens, 'training token')}`;
  return `Training ${model}: ${plural(totalSteps, 'step')}, ${size}.`;
}

function damageText({ damagedCheckpoints = [] }: EventOf<'training.started'>): string {
  if (damagedCheckpoints.length === 0) return '';
  const [s, was] = damagedCheckpoints.length === 1 ? ['', 'was'] : ['s', 'were'];
  return `The checkpoint${s} at step${s} ${damagedCheckpoints.join(', ')} ${was} damaged. `;
}

function logText(event: EventOf<'training.log'>, progress: Progress): string {
  const { loss, evalLoss } = event;
  return joinKnown([
    stepsText(progress),
    loss == null ? null : lossText(loss),
    evalLoss == null ? null : evalLossText(evalLoss),
    preferenceText(event),
    speedText(progress),
    remainingText(progress),
  ]);
}

function sampleText({ step, sample, answer, error }: EventOf<'sample.generated'>): string {
  const said = answer === null ? `not answered: ${error ?? 'unknown reason'}` : toSafeLine(answer);
  return `${step === 0 ? 'base model' : `step ${step}`}  sample ${sample + 1}: ${said}`;
}

/** How often the chosen answer of a pair is preferred: of held-out pairs, where they were measured. */
function preferenceText({ rewardAccuracy, evalRewardAccuracy }: EventOf<'training.log'>): string | null {
  const share = evalRewardAccuracy ?? rewardAccuracy;
  if (share == null) return null;
  return `${evalRewardAccuracy == null ? '' : 'eval '}preferred ${formatNumber(100 * share, 3)}%`;
}

/** What an event says about rows that are too long. */
export function longRowsOf(event: JobEvent): LongRows | null {
  const knows = event.type === 'training.preparing' || event.type === 'training.started';
  return (knows && event.tooLong) || null;
}

export function areAllRowsRead(event: JobEvent): boolean {
  if (event.type === 'training.preparing') return event.rows === event.totalRows;
  return event.type === 'training.started' && event.trainTokens !== null;
}

interface Reached {
  progress: Progress;
  /** By the score that the trainer has chosen. */
  best: ScoreAt | null;
}

/** What follows the status. `svc` is how to call the program. */
export function endText(result: TrainerResult, { progress, best }: Reached, svc: string): string {
  if (result.status === 'failed') return `  ${result.error}`;
  if (result.status === 'cancelled') return '';
  const { loss, evalLoss } = progress;
  const facts = joinKnown([
    durationText(progress),
    loss === null ? null : `final loss ${formatNumber(loss)}`,
    evalLoss === null ? null : `final eval loss ${formatNumber(evalLoss)}`,
    best === null ? null : `best ${scoreText(best)} at step ${best.step}`,
    plural(result.artifacts.length, 'artifact'),
  ]);
  // Checkpoints already got a line when they were saved.
  const final = result.artifacts.filter(({ kind }) => kind === 'final').map(finalText);
  return [`  ${facts}`, ...final, ...nextSteps(result, svc)].join('\n');
}

/** Null for a resumed run, whose total duration is unknown here. */
function durationText({ firstStep, startedAt, at }: Progress): string | null {
  return firstStep > 0 || startedAt === null || at === null ? null : `in ${formatDuration(at - startedAt)}`;
}

function finalText({ name, step, bytes }: Artifact): string {
  return `  ${name}  final adapter, step ${step}, ${formatBytes(bytes)}`;
}

function nextSteps(
  { jobId, artifacts }: Extract<TrainerResult, { status: 'completed' }>,
  svc: string,
): string[] {
  if (!artifacts.some(({ kind }) => kind === 'final')) return [];
  const job = shortId(jobId);
  return ['', 'Next:', `  ${svc} chat --job ${job}`, `  ${svc} endpoints create SLUG --job ${job}`];
}

function joinKnown(texts: readonly (string | null)[]): string {
  return texts.filter(text => text !== null).join('  ');
}
