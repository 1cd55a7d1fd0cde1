// The options of a run as its document has them, apart from those that a test chooses. Nothing is saved before the end.
import { TRAINING_DEFAULTS, toRunOptions } from '../../lib/contract/index.js';
import type { RequestedOptions, TrainOptions } from '../../lib/engine/train/options.js';

export function trainOptions(own: Partial<TrainOptions> = {}): RequestedOptions {
  return { ...toRunOptions(TRAINING_DEFAULTS), saveSteps: null, ...own } as RequestedOptions;
}
