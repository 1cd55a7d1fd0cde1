// The mean loss and the speed since the last log. The losses lie in the progress, which survives a stop.
import type { Progress } from './checkpoint.js';
import { toMeasured } from './measured.js';

export interface LossWindow {
  add(loss: number, tokens: number, ms: number): void;
  take(): { loss: number; tokens: number; tokensPerSecond: number };
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
    take() {
      const loss = toMeasured(
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
