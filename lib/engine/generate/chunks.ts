// Where a prompt is cut into the chunks that are computed at once. That depends on positions alone, not on how long the
// prompt is or what was kept of it: rounding differs with the shape of a product, so only the same chunks have the same
// results, bit for bit. Pure.
import type { ModelConfig } from '../model/index.js';

/** What attention may take for the scores of a chunk, and the chunk that is worth a run however long the sequence is. */
const [SCORE_BYTES, SHORTEST_CHUNK] = [64 * 2 ** 20, 16];

/** The end of the chunk that starts here: each head scores each of its tokens with all before. */
export function chunkEnd({ heads }: Pick<ModelConfig, 'heads'>, chunk: number, start: number): number {
  const end = (Math.floor(start / chunk) + 1) * chunk;
  const fitting = Math.floor(SCORE_BYTES / (heads * end * Float32Array.BYTES_PER_ELEMENT));
  return Math.min(end, start + Math.max(SHORTEST_CHUNK, fitting));
}

/** How many of the first tokens are in whole chunks. */
export const inWholeChunks = (tokens: number, chunk: number) => Math.floor(tokens / chunk) * chunk;
