// The mean loss and the speed since the last log. The losses are part of the progress, so they survive a stop.
import type { Progress } from './checkpoint.js';

/** As many digits as single precision has; the rest is noise that would fill every log. */
const DIGITS = 7;

interface LossWindow {
  add(loss: number, tokens: number, ms: number): void;
  summarize(): { loss: number; tokens: number; tokensPerSecond: number };
  readonly last: number | null;
}

export function createLossWindow(progress: Progress): LossWindow {
  let tokens = 0;
  let ms = 0;
  let last: number | null = null;
  return {
    add(loss, count, time) {
      progress.losses.push(loss);
      tokens += count;
      ms += time;
    },
    summarize() {
      const loss = roundToFloat32(
        progress.losses.reduce((sum, value) => sum + value, 0) / progress.losses.length,
      );
      const taken = { loss, tokens, tokensPerSecond: Math.round((tokens / ms) * 1000) };
      progress.losses = [];
      tokens = 0;
      ms = 0;
      last = loss;
      return taken;
    },
    get last() {
      return last;
    },
  };
}

export function roundToFloat32(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
