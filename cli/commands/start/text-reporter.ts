// Shows a run as text: a line per event and, on a terminal, a progress line below them.
import {
  addScores,
  bestScore,
  cutToWidth,
  deviceName,
  formatBytes,
  formatDuration,
  formatNumber,
  fromText,
  longRowsSentence,
  type MetricTable,
  outcomeTexts,
  plural,
  preparingText,
  readScore,
  type ScoreAt,
  scoreText,
  shortId,
} from '../../../lib/console/index.js';
import {
  type Artifact,
  type Job,
  type JobEvent,
  type LongRows,
  startOf,
} from '../../../lib/contract/index.js';
import { evalFailure, rewardFailure, type TrainerResult } from '../../../lib/sdk/index.js';
import type { Io } from '../../command.js';
import { inOwnName, ownName } from '../../print.js';
import type { Screen } from '../../screen.js';
import { toSafeLine, toSafeText } from '../../style.js';
import { createLiveLine } from '../terminal/live-line.js';
import { createAbsence } from '../training/event-log.js';
import {
  advance,
  drawStatus,
  noProgress,
  type Progress,
  remainingText,
  renderProgress,
  speedText,
  stepsText,
} from '../training/progress.js';
import { createDistilReporter } from './distil.js';
import { createMapReporter, createUploadReporter, type Reporter } from './reporter.js';

export function createTextReporter({ stdout, env }: Pick<Io, 'stdout' | 'env'>, screen: Screen): Reporter {
  const line = createLiveLine(stdout, screen);
  let progress = noProgress;
  const bar = { draw: line.draw, screen };
  const note = (text: string) => line.print(`${inOwnName(toSafeText(text), env)}\n`);
  const { onInterrupted, onCloudStopped, end } = createAbsence(text => note(`! ${text}`));

  let config: Job['config'] = null;
  let scores: MetricTable = {};
  let isTrained = false;
  let longRows: LongRows | null = null;
  /** Warns only once, when all rows have been read. */
  const warn = () => {
    if (longRows) note(`! ${longRowsSentence(longRows)}`);
    longRows = null;
  };

  return {
    note,
    onMap: createMapReporter(note, bar),
    onDistil: createDistilReporter(note, bar),
    onUpload: createUploadReporter(note, bar),
    onQueued({ name, id, ...job }, isAttached = false) {
      line.clear();
      // The runs of a sweep share this reporter, one after another.
      progress = isAttached ? { ...noProgress, totalSteps: job.totalSteps } : noProgress;
      config = job.config;
      scores = {};
      isTrained = false;
      const from = startOf(config);
      const what = isAttached ? 'Attached to' : 'Queued';
      note(`${what} "${toSafeLine(name)}", job ${id}${from ? `, from ${fromText(from)}` : ''}.`);
    },
    onEvent(event) {
      if (end()) note('The cloud is back.');
      progress = advance(progress, event);
      if (event.type === 'score.recorded')
        scores = addScores(
          scores,
          [readScore({ ...event })].flatMap(score => score ?? []),
        );
      const text = screen.isLive && isFleeting(event) ? null : eventText(event, progress);
      if (isTrained && event.type === 'score.recorded') line.clear();
      if (text !== null) note(text);
      isTrained ||= event.type === 'training.completed';
      longRows = longRowsOf(event) ?? longRows;
      if (areAllRowsRead(event)) warn();
      if (event.type === 'training.preparing' && progress.startedAt === null)
        line.draw(cutToWidth(preparingText(event), screen.width - 1));
      else if (event.type === 'training.started' || event.type === 'training.log')
        line.draw(renderProgress(progress, screen.width - 1, screen.style));
    },
    onEval({ name, step }) {
      if (isTrained) line.draw(cutToWidth(`Scoring step ${step}: ${toSafeLine(name)}…`, screen.width - 1));
    },
    onEvalFailed(failure) {
      if (isTrained) line.clear();
      note(`! ${evalFailure(failure)}`);
    },
    onRewardsFailed: failure => note(`! ${rewardFailure(failure)}`),
    onInterrupted,
    onCloudStopped,
    onEnd(result) {
      line.clear();
      warn();
      const text = inOwnName(
        toSafeText(endText(result, { progress, best: bestScore(scores, config) }, ownName(env))),
        env,
      );
      line.print(`${drawStatus(result.status, screen.style)}${text}\n`);
    },
    clear: line.clear,
    hold: line.hold,
    release: line.release,
    output: { write: line.pass },
  };
}

/** Events that the progress line already covers: steps without an evaluation. */
function isFleeting(event: JobEvent): boolean {
  return event.type === 'training.log' && event.evalLoss == null && event.evalReward == null;
}

type EventOf<Type extends JobEvent['type']> = Extract<JobEvent, { type: Type }>;

/** Null for events without their own line. @internal */
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
  const { model, totalSteps, trainableParameters, trainTokens, resumedFromStep, device } = event;
  // Say where it runs, unless that is the default: svc's engine on the CPU, by choice.
  const place =
    device?.type === 'gpu' || device?.reason || device?.software ? ` on the ${deviceName(device)}` : '';
  const reason = device?.reason ? ` ${device.reason}` : '';
  if (resumedFromStep !== undefined)
    return toSafeLine(
      `${damageText(event)}Resuming training after step ${resumedFromStep}${place}.${reason}`,
    );
  const parameters = plural(trainableParameters, 'trainable parameter');
  const size = trainTokens === null ? parameters : `${parameters}, ${plural(trainTokens, 'learned token')}`;
  return toSafeLine(`Training ${model}${place}: ${plural(totalSteps, 'step')}, ${size}.${reason}`);
}

function damageText({ damagedCheckpoints = [] }: EventOf<'training.started'>): string {
  if (damagedCheckpoints.length === 0) return '';
  const [s, was] = damagedCheckpoints.length === 1 ? ['', 'was'] : ['s', 'were'];
  return `The checkpoint${s} at step${s} ${damagedCheckpoints.join(', ')} ${was} damaged. `;
}

function logText(event: EventOf<'training.log'>, progress: Progress): string {
  return joinKnown([
    stepsText(progress),
    ...outcomeTexts(event),
    preferenceText(event),
    speedText(progress),
    remainingText(progress),
  ]);
}

function sampleText({ step, sample, answer, error }: EventOf<'sample.generated'>): string {
  const answerText = answer === null ? `not answered: ${error ?? 'unknown reason'}` : toSafeLine(answer);
  return `${step === 0 ? 'base model' : `step ${step}`}  sample ${sample + 1}: ${answerText}`;
}

/** How often the model prefers the chosen answer of a pair, on held-out pairs if measured. */
function preferenceText({ rewardAccuracy, evalRewardAccuracy }: EventOf<'training.log'>): string | null {
  const share = evalRewardAccuracy ?? rewardAccuracy;
  if (share == null) return null;
  return `${evalRewardAccuracy == null ? '' : 'eval '}preferred ${formatNumber(100 * share, 3)}%`;
}

/** The report on overlong rows in an event. */
function longRowsOf(event: JobEvent): LongRows | null {
  const knows = event.type === 'training.preparing' || event.type === 'training.started';
  return (knows && event.tooLong) || null;
}

function areAllRowsRead(event: JobEvent): boolean {
  if (event.type === 'training.preparing') return event.rows === event.totalRows;
  return event.type === 'training.started' && event.trainTokens !== null;
}

interface Reached {
  progress: Progress;
  /** The best adapter by the trainer's chosen score. */
  best: ScoreAt | null;
}

/** The text after the status. `svc` is how to call the program. */
function endText(result: TrainerResult, { progress, best }: Reached, svc: string): string {
  if (result.status === 'failed') return `  ${result.error}`;
  if (result.status === 'cancelled') return '';
  const facts = joinKnown([
    durationText(progress),
    ...outcomeTexts(progress, 'final '),
    best === null ? null : `best ${scoreText(best)} at step ${best.step}`,
    plural(result.artifacts.length, 'artifact'),
  ]);
  // Checkpoints were already reported when they were saved.
  const final = result.artifacts.filter(({ kind }) => kind === 'final').map(finalText);
  return [`  ${facts}`, ...final, ...nextSteps(result, svc)].join('\n');
}

/** Null for a resumed run, whose total duration is unknown here. */
function durationText({ firstStep, startedAt, at }: Progress): string | null {
  return firstStep > 0 || startedAt === null || at === null
    ? null
    : `trained for ${formatDuration(at - startedAt)}`;
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
