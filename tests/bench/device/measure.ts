// Training on one device, measured in a process of its own: `tsx measure.ts MODEL_FOLDER cpu|webgpu f32|f16 TOKENS ROUNDS`. Prints JSON:
// the tokens a second of a step with one pass of so many tokens, half of them learned.
import { TRAINING_DEFAULTS } from '../../../lib/contract/index.js';
import { MODULES, openModel } from '../../../lib/engine/model/index.js';
import { createLearned } from '../../../lib/engine/train/adam-w.js';
import { openWeights } from '../../../lib/engine/train/open-weights.js';
import { longestLine, packExamples, toPass } from '../../../lib/engine/train/packing.js';
import { createAdapterState, initializeLora } from '../../../lib/engine/train/state.js';
import { createStepRunner } from '../../../lib/engine/train/step-runner.js';
import { median } from '../median.js';

const [folder, provider, weights, size, rounds] = process.argv.slice(2) as [
  string,
  'cpu' | 'webgpu',
  'f32' | 'f16',
  string,
  string,
];
const [tokens, ROW] = [Number(size), 256];
const WARM_UP = 3;

const model = await openWeights(await openModel(folder), weights, { folder, provider, trains: true });
const lora = { rank: 16, scaling: 2, modules: MODULES };
const state = createAdapterState(model, lora);
initializeLora(state, 1);
const opened = performance.now();
const runner = await createStepRunner(model, lora, longestLine(ROW), createLearned(state), {
  dropout: 0,
  provider,
  threads: undefined,
});
const startMs = performance.now() - opened;

const { vocabulary } = model.config;
const examples = Array.from({ length: tokens / ROW }, (_, row) => ({
  ids: Array.from({ length: ROW }, (_, i) => (row * 31 + i * 7) % vocabulary),
  supervised: Array.from({ length: ROW }, (_, i) => i >= ROW / 2),
}));
const passes = packExamples(examples, {
  ...runner,
  passTokens: Math.min(tokens, runner.passTokens),
}).map(lines => toPass(lines, 2 / tokens));
const times: number[] = [];
for (let round = 0; round < Number(rounds) + WARM_UP; round++) {
  const start = performance.now();
  for (const pass of passes) await runner.run(pass, [round]);
  await runner.update({ ...TRAINING_DEFAULTS, learningRate: 1e-4, maxGradNorm: 1 });
  times.push(performance.now() - start);
}
await runner.close();
const stepMs = median(times.slice(WARM_UP));
console.log(JSON.stringify({ startMs, stepMs, passes: passes.length, speed: (1000 * tokens) / stepMs }));
// A device may keep the process alive.
process.exit(0);
