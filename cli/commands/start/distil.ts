// What a teacher's answers look like while they come, and how Ctrl-C ends that.
import {
  cutToWidth,
  displayWidth,
  formatCount,
  formatDollars,
  formatDuration,
  plural,
} from '../../../lib/console/index.js';
import {
  type DistilProgress,
  type DistilWatch,
  describeKept,
  describeLeftOut,
} from '../../../lib/sdk/index.js';
import type { Io } from '../../command.js';
import type { Screen } from '../../screen.js';
import { toSafeLine } from '../../style.js';
import { renderBar } from '../training/progress.js';
import { stopOnce } from './stop-once.js';

/** A redrawable last line. Without one, there is a line per quarter. */
export interface LiveBar {
  draw(line: string): void;
  screen: Screen;
}

const QUARTERS = 4;
const GAP = '  ';
const BAR = { least: 8, most: 30 };
/** Shorter waits pass before anyone wonders. */
const TOLD_WAIT_MS = 5000;

/** Reports one data set after another. */
export function createDistilReporter(note: (line: string) => void, bar?: LiveBar) {
  let stage: DistilProgress['stage'] = 'done';
  let quarter = 0;
  let hasProblem = false;
  return (progress: DistilProgress) => {
    const { total, answered, problem } = progress;
    const teacher = toSafeLine(progress.teacher);
    const isNew = stage !== progress.stage;
    stage = progress.stage;
    const reached = Math.floor((QUARTERS * answered) / total);
    if (stage === 'waiting')
      return note(`Another svc is asking ${teacher} for this project. Waiting until it is done.`);
    if (stage === 'done') return closing(progress).forEach(note);
    if (isNew) {
      quarter = reached;
      note(opening(progress));
    }
    bar?.draw(drawAnswers(progress, bar.screen));
    if (problem && problem.ms >= TOLD_WAIT_MS) {
      if (!hasProblem) note(`! ${toSafeLine(problem.why)} Trying again in ${formatDuration(problem.ms)}.`);
      hasProblem = true;
    } else if (!problem) hasProblem = false;
    if (reached > quarter && reached < QUARTERS && !bar?.screen.isLive) note(`${answersText(progress)}.`);
    quarter = reached;
  };
}

function opening({ teacher, total, known, estimate }: DistilProgress): string {
  const [all, name] = [plural(total - known, 'answer'), toSafeLine(teacher)];
  const rest = known > 0 ? ` (${formatCount(known)} of ${formatCount(total)} are here already)` : '';
  if (!estimate) return `Asking ${name} for ${all}${rest}.`;
  const { tokens, dollars, isMost } = estimate;
  const about = isMost ? 'at most' : 'about';
  const price = dollars === null ? '' : `, ${about} ${formatDollars(dollars)}`;
  return `Asking ${name} for ${all}${rest}: an estimated ${formatCount(tokens.input)} tokens to send and ${about} ${formatCount(tokens.output)} to receive${price}.`;
}

function closing(progress: DistilProgress): string[] {
  const { total, known, leftOut, refusal } = progress;
  const teacher = toSafeLine(progress.teacher);
  const left = describeLeftOut(progress);
  return [
    known === total
      ? `${plural(total, 'answer')} of ${teacher}, all of them here already.`
      : `${plural(total, 'answer')} of ${teacher}, ${formatCount(total - known)} of them new: ${spentText(progress)}.`,
    ...(left ? [`Left out: ${left}.`] : []),
    ...(leftOut.cut
      ? ['! Answers that are cut off teach nothing. Raise `maxTokens` to ask for them again.']
      : []),
    ...(leftOut.refused && refusal ? [`! ${toSafeLine(refusal)}`] : []),
  ];
}

function spentText({ tokens, dollars }: DistilProgress): string {
  const text = plural(tokens.input + tokens.output, 'token');
  return dollars === null ? text : `${text}, ${formatDollars(dollars)}`;
}

function answersText(progress: DistilProgress): string {
  const { answered, total } = progress;
  return `${formatCount(answered)} of ${plural(total, 'answer')}${GAP}${spentText(progress)}`;
}

function drawAnswers(progress: DistilProgress, { width, style }: Screen): string {
  const { answered, total } = progress;
  const text = answersText(progress);
  const room = Math.min(BAR.most, width - 1 - displayWidth(text) - GAP.length);
  if (room < BAR.least) return cutToWidth(text, width - 1);
  return `${renderBar(answered / total, room, style)}${GAP}${text}`;
}

/** Ends a generation when asked to, and says what is kept. */
export function createDistilStop(io: Pick<Io, 'onSignal'>, note: (line: string) => void) {
  const stopped = new AbortController();
  let last: DistilProgress | null = null;
  let stopListening: (() => void) | null = null;

  function ignore(): void {
    stopListening?.();
    stopListening = null;
  }

  function stop(): void {
    if (last?.stage === 'asking')
      note('Waiting for the answers that are under way. Press Ctrl-C again to stop at once.');
    stopped.abort();
  }

  return {
    /** The hooks of what may generate. */
    watch: (onDistil: (progress: DistilProgress) => void): DistilWatch => ({
      stop: stopped.signal,
      onDistil(progress) {
        last = progress;
        if (progress.stage === 'done') ignore();
        else if (!stopped.signal.aborted) stopListening ??= stopOnce(io, stop);
        onDistil(progress);
      },
    }),
    ignore,
    /** Whether a signal ends a generation now. */
    isListening: () => stopListening !== null,
    /** Null if nobody stopped it. */
    text(): string | null {
      if (!stopped.signal.aborted || !last) return null;
      return `Stopped. ${describeKept(last) ?? 'No answer had arrived yet.'}`;
    },
  };
}
