// Training progress as text and as a progress bar.
import { displayWidth, formatDuration, formatNumber } from '../../../lib/console/index.js';
import type { Style } from '../../style.js';
import { type Progress, remainingMs } from './progress.js';

const GAP = '  ';
const BAR = { least: 8, most: 30 };

/** `step 40/120` */
export function stepsText({ step, totalSteps }: Progress): string {
  return totalSteps === null ? `step ${step}` : `step ${step}/${totalSteps}`;
}

export function lossText(loss: number): string {
  return `loss ${formatNumber(loss)}`;
}

export function evalLossText(loss: number): string {
  return `eval loss ${formatNumber(loss)}`;
}

export function speedText({ tokensPerSecond }: Progress): string | null {
  return tokensPerSecond === null ? null : `${formatNumber(tokensPerSecond, 3)} tokens/s`;
}

/** In whole seconds, since it is an estimate. */
export function remainingText(progress: Progress): string | null {
  const seconds = Math.ceil((remainingMs(progress) ?? 0) / 1000);
  if (seconds === 0) return null;
  return `ETA ${seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)}`;
}

/** Fits in `width` columns by dropping the bar first, then the least important figures. */
export function renderProgress(progress: Progress, width: number, style: Style): string {
  const figures = [
    stepsText(progress),
    progress.loss === null ? null : lossText(progress.loss),
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
