// How fast several texts are continued at once.
import type { Generator, LoadedAdapter } from '../../../lib/engine/generate/index.js';
import { loraParameters, MODULES, type ModelSource } from '../../../lib/engine/model/index.js';
import { createRandom } from '../../support/random.js';

/** Tokens a second of all lines together, while all of them run. */
export async function decode(
  generator: Generator,
  lines: readonly { promptIds: readonly number[]; adapter: LoadedAdapter | null }[],
  tokens: number,
): Promise<number> {
  // A step reads one prompt, while the lines before it already continue.
  const maxTokens = tokens + lines.length;
  const times = await Promise.all(
    lines.map(async line => {
      const arrivals: number[] = [];
      for await (const piece of generator.generate({ ...line, maxTokens, temperature: 0 }))
        if (piece.tokenIds.length > 0) arrivals.push(performance.now());
      return arrivals;
    }),
  );
  const start = Math.max(...times.map(arrivals => arrivals[0]!));
  const end = Math.min(...times.map(arrivals => arrivals.at(-1)!));
  const count = times.flat().filter(time => time > start && time <= end).length;
  return (1000 * count) / (end - start);
}

/** Of rank 16, on all modules. */
export function randomAdapter(config: ModelSource['config'], seed: number): LoadedAdapter {
  const rank = 16;
  const random = createRandom(seed);
  const matrices = new Map<string, Float32Array>();
  for (const { name, shape } of loraParameters(config, { rank, modules: MODULES })) {
    matrices.set(
      name,
      Float32Array.from({ length: rank * shape[1] }, () => (random.next() - 0.5) * 0.02),
    );
  }
  return { rank, scaling: 2, matrices };
}
