// Answers on one device, measured in a process of its own: `tsx measure-answers.ts MODEL_FOLDER cpu|webgpu TEXTS`. Prints JSON: the
// tokens a second of prompts that are read and of answers that are written, by so many texts at once.
import { createGenerator } from '../../../lib/engine/generate/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { dots } from '../../support/text-decodings.js';
import { median } from '../median.js';

const [folder, provider, size] = process.argv.slice(2) as [string, 'cpu' | 'webgpu', string];
const texts = Number(size);
const [PROMPT, ANSWER, ROUNDS] = [256, 64, 3];

const model = await openModel(folder);
const generator = createGenerator({
  ...model,
  text: dots,
  context: 512,
  maxBatch: texts,
  session: { provider },
});
let seed = 0;

/** The milliseconds of so many answers of this length, to prompts that nobody has asked before. */
async function time(maxTokens: number): Promise<number> {
  const start = performance.now();
  const asked = Array.from({ length: texts }, async () => {
    seed += 1;
    const promptIds = Array.from(
      { length: PROMPT },
      (_, i) => (seed * 101 + i * 7) % model.config.vocabulary,
    );
    for await (const _ of generator.generate({ promptIds, maxTokens, temperature: 0 }));
  });
  await Promise.all(asked);
  return performance.now() - start;
}

const opened = performance.now();
await time(2);
const startMs = performance.now() - opened;
const [prompts, whole]: [number[], number[]] = [[], []];
for (let round = 0; round < ROUNDS; round++) {
  prompts.push(await time(1));
  whole.push(await time(1 + ANSWER));
}
const promptMs = median(prompts);
console.log(
  JSON.stringify({
    startMs,
    read: (1000 * texts * PROMPT) / promptMs,
    written: (1000 * texts * ANSWER) / (median(whole) - promptMs),
  }),
);
// A device may keep the process alive.
process.exit(0);
