// Initializes an adapter as PEFT does: A uniform, B zero, so that it changes nothing at first.
import { createRandom } from '../random.js';
import type { LoraState } from './lora-state.js';

const WEIGHTS = 2;

export function initializeLora({ parameters, views }: LoraState, seed: number): void {
  parameters.forEach(({ name, side, shape: [, width] }, i) => {
    const view = views[name]!;
    if (side === 'b') {
      view.fill(0);
      return;
    }
    const random = createRandom(seed, WEIGHTS, i);
    const bound = 1 / Math.sqrt(width);
    for (let j = 0; j < view.length; j++) view[j] = (2 * random.next() - 1) * bound;
  });
}
