// What is generated where speed is measured, the same for the engine and for llama.cpp.
import { createRandom } from '../../support/random.js';

/** How many texts are generated at once. */
export const BATCHES = [1, 4, 8, 16] as const;

/** The length of the prompt whose reading is timed. */
export const LONG_PROMPT = 512;

/** The length of the prompts that are continued. */
export const SHORT_PROMPT = 16;

export function randomPrompt(length: number, vocabulary: number, seed: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length }, () => Math.floor(random.next() * vocabulary));
}
