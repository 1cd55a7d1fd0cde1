// Reads a model's sampling defaults from generation_config.json.
import type { TextFiles } from './text-files.js';

export interface SamplingDefaults {
  readonly temperature?: number;
  readonly topP?: number;
}

/** `do_sample: false` means greedy decoding. Values out of range are ignored. */
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
