// Shows what happens in a run: as JSON lines here, as text in text-reporter.ts.
import { cutToWidth, displayWidth, formatBytes, formatCount, plural } from '../../../lib/console/index.js';
import type { Job, JobEvent } from '../../../lib/contract/index.js';
import {
  type DistilProgress,
  type EvalHooks,
  evalFailure,
  type MapProgress,
  type RewardHooks,
  rewardFailure,
  type TrainerResult,
  type UploadProgress,
} from '../../../lib/sdk/index.js';
import type { Io, Output } from '../../command.js';
import { printJson, printLine } from '../../print.js';
import type { Screen } from '../../screen.js';
import { toSafeLine } from '../../style.js';
import { createAbsence } from '../training/event-log.js';
import { renderBar } from '../training/progress.js';
import { createDistilReporter, type LiveBar } from './distil.js';

export interface Reporter extends EvalHooks, RewardHooks {
  /** Shows one line about the current state. */
  note(line: string): void;
  /** The trainer's `map` function is running over a data set. */
  onMap(progress: MapProgress): void;
  /** A teacher is asked for a data set. */
  onDistil(progress: DistilProgress): void;
  /** A large data set is being uploaded. */
  onUpload(progress: UploadProgress): void;
  /** `isAttached`: another process queued it. */
  onQueued(job: Job, isAttached?: boolean): void;
  onEvent(event: JobEvent): void;
  onInterrupted(error: Error): void;
  onCloudStopped(): void;
  onEnd(result: TrainerResult): void;
  /** Removes the progress line. */
  clear(): void;
  /** Leaves the terminal to other output until `release`. */
  hold(): void;
  release(): void;
  /** Receives what the project's code logs. */
  readonly output: Output;
}

export function createJsonReporter({ stdout, stderr, env }: Io): Reporter {
  const note = (line: string) => printLine(stderr, line, env);
  const { onInterrupted, onCloudStopped, end } = createAbsence(note);
  return {
    note,
    onMap: createMapReporter(note),
    onDistil: createDistilReporter(note),
    onUpload: createUploadReporter(note),
    onQueued: ({ id }, isAttached) => note(`${isAttached ? 'Attached to' : 'Queued'} job ${id}.`),
    onEvent(event) {
      end();
      printJson(stdout, event);
    },
    onEval: () => {},
    onEvalFailed: failure => note(`! ${evalFailure(failure)}`),
    onRewardsFailed: failure => note(`! ${rewardFailure(failure)}`),
    onInterrupted,
    onCloudStopped,
    onEnd: () => {},
    clear: () => {},
    hold: () => {},
    release: () => {},
    output: stderr,
  };
}

const QUARTERS = 4;
const GAP = '  ';
const BAR = { least: 8, most: 30 };

/** Reports the upload of a large data set. */
export function createUploadReporter(note: (line: string) => void, bar?: LiveBar) {
  let lastKey = '';
  let quarter = 0;
  let hasProblem = false;

  /** Prints a line once per file and topic. */
  function noteOnce(key: string, line: string): void {
    if (lastKey === key) return;
    lastKey = key;
    note(line);
  }

  return (progress: UploadProgress) => {
    const { stage, done, total, problem } = progress;
    const name = toSafeLine(progress.name);
    const size = formatBytes(total);
    if (problem !== undefined) {
      if (!hasProblem) note(`! The upload of ${name} was interrupted: ${problem} Trying again.`);
      hasProblem = true;
      return;
    }
    bar?.draw(drawUpload(progress, bar.screen));
    if (stage === 'reading') return;
    const isNew = lastKey !== `${name} sending` && lastKey !== `${name} counting`;
    if (isNew && done === total)
      return noteOnce(`${name} counting`, `The cloud already has ${name} (${size}).`);
    if (isNew) {
      quarter = Math.floor((QUARTERS * done) / total);
      noteOnce(
        `${name} sending`,
        done === 0
          ? `Uploading ${name} (${size}).`
          : `Continuing the upload of ${name} at ${percent(progress)} of ${size}.`,
      );
    }
    if (hasProblem) note(`The upload of ${name} continues at ${percent(progress)}.`);
    hasProblem = false;
    if (stage === 'counting')
      return noteOnce(`${name} counting`, `Uploaded ${name}; the cloud counts its rows.`);
    const reached = Math.floor((QUARTERS * done) / total);
    if (reached > quarter && reached < QUARTERS && !bar?.screen.isLive)
      note(`Uploaded ${percent(progress)} of ${name}.`);
    quarter = reached;
  };
}

/** Reports the progress of the trainer's `map` function. */
export function createMapReporter(note: (line: string) => void, bar?: LiveBar) {
  return ({ name, rows, dropped, isDone }: MapProgress) => {
    const file = toSafeLine(name);
    if (!isDone)
      return bar?.draw(cutToWidth(`Mapping ${file}: ${plural(rows, 'row')}`, bar.screen.width - 1));
    if (dropped > 0) note(`\`map\` left out ${formatCount(dropped)} of ${plural(rows, 'row')} of ${file}.`);
  };
}

function percent({ done, total }: UploadProgress): string {
  return `${Math.floor((100 * done) / total)} %`;
}

const STAGES: Record<UploadProgress['stage'], string> = {
  reading: 'Reading',
  sending: 'Uploading',
  counting: 'Counting the rows of',
};

function drawUpload(progress: UploadProgress, { width, style }: Screen): string {
  const { stage, done, total } = progress;
  const what = `${STAGES[stage]} ${toSafeLine(progress.name)}`;
  if (stage === 'counting') return cutToWidth(what, width - 1);
  const text = `${what}${GAP}${formatBytes(done)} of ${formatBytes(total)}`;
  const room = Math.min(BAR.most, width - 1 - displayWidth(text) - GAP.length);
  return room < BAR.least
    ? cutToWidth(text, width - 1)
    : `${renderBar(done / total, room, style)}${GAP}${text}`;
}
