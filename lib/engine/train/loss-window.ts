// The mean loss and the speed since the last log. What was measured is part of the progress, so it survives a stop.
import type { Progress } from './checkpoint.js';
import type { Metrics } from './objective.js';

/** As many digits as single precision has; the rest is noise that would fill every log. */
const DIGITS = 7;

interface Summary {
  loss: number;
  tokens: number;
  tokensPerSecond: number;
  metrics?: Metrics;
}

interface LossWindow {
  add(step: { loss: number; tokens: number; metrics: Metrics | null }, ms: number): void;
  summarize(): Summary;
  readonly last: Summary | null;
}

export function createLossWindow(progress: Progress): LossWindow {
  let tokens = 0;
  let ms = 0;
  let last: Summary | null = null;
  return {
    add({ loss, tokens: count, metrics }, time) {
      progress.losses.push(loss);
      if (metrics) progress.metrics = append(progress.metrics, metrics);
      tokens += count;
      ms += time;
    },
    summarize() {
      const { metrics } = progress;
      const taken = {
        loss: meanOf(progress.losses),
        tokens,
        tokensPerSecond: Math.round((tokens / ms) * 1000),
        ...(metrics && { metrics: mapValues(metrics, meanOf) }),
      };
      progress.losses = [];
      delete progress.metrics;
      tokens = 0;
      ms = 0;
      last = taken;
      return taken;
    },
    get last() {
      return last;
    },
  };
}

function append(lists: Record<string, number[]> = {}, metrics: Metrics): Record<string, number[]> {
  return mapValues(metrics, (value, name) => [...(lists[name] ?? []), value]);
}

function meanOf(values: readonly number[]): number {
  return roundToFloat32(values.reduce((sum, value) => sum + value, 0) / values.length);
}

export function mapValues<V, W>(
  record: Readonly<Record<string, V>>,
  change: (value: V, name: string) => W,
): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

export function roundToFloat32(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
