// One point of the growth measurements, in a process of its own, so that its peak memory is its own:
// `tsx point.ts MODEL_FOLDER '{"kind":"train",…}'` prints one line of JSON.
import { join } from 'node:path';
import { TRAINING_DEFAULTS } from '../../../lib/contract/index.js';
import { createGenerator } from '../../../lib/engine/generate/index.js';
import { MODULES, type ModelSource, openModel } from '../../../lib/engine/model/index.js';
import { createLearned } from '../../../lib/engine/train/adam-w.js';
import { decideWeights, openWeights } from '../../../lib/engine/train/index.js';
import { longestLine, packExamples, toPass } from '../../../lib/engine/train/packing.js';
import { createAdapterState, initializeLora } from '../../../lib/engine/train/state.js';
import { createStepRunner } from '../../../lib/engine/train/step-runner.js';
import { dots } from '../../support/text-decodings.js';
import { median } from '../median.js';

export type Point =
  | { kind: 'prepare' }
  | { kind: 'train'; tokens: number; rank: number }
  | { kind: 'chat'; chats: number };

export interface Measurement {
  tokensPerSecond: number;
  peakMB: number;
}

const ROUNDS = 5;
const ROW = 128;
const [PROMPT, ANSWER] = [64, 32];

const [folder, text] = process.argv.slice(2) as [string, string];
const point = JSON.parse(text) as Point;
const at = { folder: join(folder, 'rounded') };
const stored = await openModel(folder);
const weights = await decideWeights(stored, 'auto', at);
const model = await openWeights(stored, weights, { ...at, trains: point.kind !== 'chat' });
const tokensPerSecond =
  point.kind === 'prepare'
    ? 0
    : point.kind === 'train'
      ? await train(model, point.tokens, point.rank)
      : await chat(model, point.chats);
const peakMB = process.resourceUsage().maxRSS / 1000;
console.log(JSON.stringify({ tokensPerSecond, peakMB } satisfies Measurement));

async function train(model: ModelSource, tokens: number, rank: number): Promise<number> {
  const lora = { rank, scaling: 2, modules: MODULES };
  const { vocabulary } = model.config;
  const examples = Array.from({ length: tokens / ROW }, (_, row) => ({
    ids: Array.from({ length: ROW }, (_, i) => (row * 31 + i * 7) % vocabulary),
    supervised: Array.from({ length: ROW }, (_, i) => i >= ROW / 2),
  }));
  const state = createAdapterState(model, lora);
  initializeLora(state, 1);
  const runner = await createStepRunner(model, lora, longestLine(ROW), createLearned(state), { dropout: 0 });
  const passes = packExamples(examples, runner).map(lines => toPass(lines, 1e-3));
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now();
    for (const pass of passes) await runner.run(pass, [round]);
    await runner.update({
      ...TRAINING_DEFAULTS,
      learningRate: 1e-4,
      maxGradNorm: Number.POSITIVE_INFINITY,
    });
    if (round > 0) times.push(performance.now() - start);
  }
  await runner.close();
  return (1000 * tokens) / median(times);
}

/** Tokens a second of all answers together, while all of them are written. */
async function chat(model: ModelSource, chats: number): Promise<number> {
  const generator = createGenerator({ ...model, text: dots, maxBatch: chats });
  const { vocabulary } = model.config;
  const speeds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const answers = Array.from({ length: chats }, async (_, line) => {
      const promptIds = Array.from(
        { length: PROMPT },
        (_, i) => (round * 13 + line * 31 + i * 7) % vocabulary,
      );
      const arrivals: number[] = [];
      // While the last prompt is read, the first answers are already being written.
      const maxTokens = ANSWER + chats;
      for await (const { tokenIds } of generator.generate({ promptIds, maxTokens, temperature: 0 }))
        if (tokenIds.length > 0) arrivals.push(performance.now());
      return arrivals;
    });
    const times = await Promise.all(answers);
    const start = Math.max(...times.map(arrivals => arrivals[0]!));
    const end = Math.min(...times.map(arrivals => arrivals.at(-1)!));
    const tokens = times.flat().filter(time => time > start && time <= end).length;
    if (round > 0) speeds.push((1000 * tokens) / (end - start));
  }
  await generator.close();
  return median(speeds);
}
