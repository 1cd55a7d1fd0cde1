// A run as text: a line per event or, on a terminal, a progress line below those that stay.

import {
  addScores,
  bestScore,
  cutToWidth,
  longRowsSentence,
  type MetricTable,
  preparingText,
  readScore,
} from '../../../lib/console/index.js';
import type { Job, JobEvent, LongRows } from '../../../lib/contract/index.js';
import { evalFailure } from '../../../lib/sdk/index.js';
import type { Io } from '../../command.js';
import { inOwnName, ownName } from '../../own-name.js';
import { toSafeLine, toSafeText } from '../../style.js';
import { createLiveLine } from '../terminal/live-line.js';
import type { Screen } from '../terminal/screen.js';
import { createAbsence } from '../training/absence.js';
import { advance, noProgress } from '../training/progress.js';
import { renderProgress } from '../training/progress-text.js';
import { drawStatus } from '../training/status.js';
import { areAllRowsRead, endText, eventText, longRowsOf } from './event-text.js';
import type { Reporter } from './reporter.js';
import { createMapTeller, createUploadTeller } from './upload-text.js';

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
    onMap: createMapTeller(note, bar),
    onUpload: createUploadTeller(note, bar),
    onQueued({ name, id, ...job }) {
      line.clear();
      // A sweep has one run after another.
      progress = noProgress;
      config = job.config;
      scores = {};
      isTrained = false;
      note(`Queued "${toSafeLine(name)}", job ${id}.`);
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

/** What the progress line says as well: a step that was not evaluated. */
function isFleeting(event: JobEvent): boolean {
  return event.type === 'training.log' && event.evalLoss == null;
}
