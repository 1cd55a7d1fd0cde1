// How a model's tokens are drawn when a request does not say, by what generation_config.json says.
import type { TextFiles } from './text-files.js';

export interface SamplingDefaults {
  readonly temperature?: number;
  readonly topP?: number;
}

/** A model that is not to be sampled always takes the likeliest token. What is out of range is as if not there. */
export function readSamplingDefaults({ generation }: TextFiles): SamplingDefaults {
  const { do_sample: isSampled, temperature, top_p: topP } = generation?.content ?? {};
  if (isSampled === false) return { temperature: 0 };
  return {
    ...(isWithin(temperature, 2) && { temperature }),
    ...(isWithin(topP, 1) && { topP }),
  };
}

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= most;
