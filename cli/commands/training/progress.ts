// A job's progress, computed from its events, and its rendering. Times come from the events themselves, so a
// replay shows the same.
import { displayWidth, formatDuration, formatNumber, outcomeTexts } from '../../../lib/console/index.js';
import type { JobEvent, JobStatus } from '../../../lib/contract/index.js';
import type { Style } from '../../style.js';

export interface Progress {
  readonly step: number;
  readonly totalSteps: number | null;
  /** The step and time at which this run of the job started; the step is not 0 for a resumed job. */
  readonly firstStep: number;
  readonly startedAt: number | null;
  /** When the last step was logged. */
  readonly at: number | null;
  readonly loss: number | null;
  readonly evalLoss: number | null;
  /** Of a run that learns from rewards, whose loss says little. */
  readonly reward: number | null;
  readonly evalReward: number | null;
  readonly tokensPerSecond: number | null;
}

export const noProgress: Progress = {
  step: 0,
  totalSteps: null,
  firstStep: 0,
  startedAt: null,
  at: null,
  loss: null,
  evalLoss: null,
  reward: null,
  evalReward: null,
  tokensPerSecond: null,
};

export function advance(progress: Progress, event: JobEvent): Progress {
  switch (event.type) {
    case 'training.started': {
      const firstStep = event.resumedFromStep ?? 0;
      const startedAt = Date.parse(event.timestamp);
      return { ...progress, step: firstStep, firstStep, startedAt, at: null, totalSteps: event.totalSteps };
    }
    case 'training.log':
      return {
        ...progress,
        step: event.step,
        at: Date.parse(event.timestamp),
        loss: event.loss ?? progress.loss,
        evalLoss: event.evalLoss ?? progress.evalLoss,
        reward: event.reward ?? progress.reward,
        evalReward: event.evalReward ?? progress.evalReward,
        tokensPerSecond: event.tokensPerSecond ?? progress.tokensPerSecond,
      };
    default:
      return progress;
  }
}

/** The estimated time left at the current pace; null if the pace is unknown. @internal */
export function remainingMs({ step, totalSteps, firstStep, startedAt, at }: Progress): number | null {
  if (totalSteps === null || startedAt === null || at === null || step <= firstStep) return null;
  const perStep = (at - startedAt) / (step - firstStep);
  return Math.max(0, totalSteps - step) * perStep;
}

const GAP = '  ';
const BAR = { least: 8, most: 30 };

/** `step 40/120` */
export function stepsText({ step, totalSteps }: Progress): string {
  return totalSteps === null ? `step ${step}` : `step ${step}/${totalSteps}`;
}

export function speedText({ tokensPerSecond }: Progress): string | null {
  return tokensPerSecond === null ? null : `${formatNumber(tokensPerSecond, 3)} tokens/s`;
}

/** Rounded to whole seconds, since it is an estimate. */
export function remainingText(progress: Progress): string | null {
  const seconds = Math.ceil((remainingMs(progress) ?? 0) / 1000);
  if (seconds === 0) return null;
  return `ETA ${seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)}`;
}

/** Fits the progress line in `width` columns by dropping the bar first, then the least important figures. */
export function renderProgress(progress: Progress, width: number, style: Style): string {
  const figures = [
    stepsText(progress),
    outcomeTexts(progress)[0] ?? null,
    remainingText(progress),
    speedText(progress),
  ].filter(text => text !== null);
  while (figures.length > 1 && displayWidth(figures.join(GAP)) > width) figures.pop();
  const text = figures.join(GAP);
  const room = Math.min(BAR.most, width - displayWidth(text) - GAP.length);
  return room < BAR.least ? text : `${renderBar(shareOf(progress), room, style)}${GAP}${text}`;
}

function shareOf({ step, totalSteps }: Progress): number {
  return totalSteps ? Math.min(1, step / totalSteps) : 0;
}

export function renderBar(share: number, width: number, { blue, dim }: Style): string {
  const done = Math.floor(share * width);
  return blue('█'.repeat(done)) + dim('░'.repeat(width - done));
}

/** Each status has a glyph and a color. */
const LOOKS: Readonly<Record<JobStatus, { glyph: string; color: keyof Style }>> = {
  queued: { glyph: '○', color: 'dim' },
  running: { glyph: '●', color: 'blue' },
  completed: { glyph: '✔', color: 'green' },
  failed: { glyph: '✖', color: 'red' },
  cancelled: { glyph: '◌', color: 'yellow' },
};

export function statusText(status: JobStatus): string {
  return `${LOOKS[status].glyph} ${status}`;
}

export function paintStatus(text: string, status: JobStatus, style: Style): string {
  return style[LOOKS[status].color](text);
}

export function drawStatus(status: JobStatus, style: Style): string {
  return paintStatus(statusText(status), status, style);
}
