// Adapters that svc trains, and the models that it merges them into, for the tests of `ray`, which open both in PEFT and
// transformers: `tsx tests/ray/exports.ts FOLDER`. Beside them, what svc's own engine computes with model and adapter.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadAdapter } from '../../lib/engine/generate/adapters.js';
import { createGenerator, type LoadedAdapter } from '../../lib/engine/generate/index.js';
import { writeMergedModel } from '../../lib/engine/index.js';
import { buildLogitsGraph, toLineInputs } from '../../lib/engine/model/index.js';
import { compute } from '../../lib/engine/runtime/index.js';
import { toPairs } from '../../lib/engine/train/state.js';
import { writeAdapter } from '../../lib/engine/weights/index.js';
import { GOLDEN_MODELS, type GoldenModel, openGoldenModel } from '../support/golden-models.js';
import { GOLDEN_LORA, trainGolden } from '../support/golden-training.js';
import { numbers } from '../support/text-decodings.js';

const ANSWER_TOKENS = 20;

for (const name of GOLDEN_MODELS) await exportModel(name, join(process.argv[2]!, name));

async function exportModel(name: string, folder: string): Promise<void> {
  const golden = await openGoldenModel(name);
  const [adapterFolder, merged] = [join(folder, 'adapter'), join(folder, 'merged')];
  const { rank, scaling } = GOLDEN_LORA;
  const { state } = await trainGolden(golden);
  await writeAdapter(adapterFolder, { config: { rank, alpha: rank * scaling }, tensors: toPairs(state) });
  await mkdir(merged);
  await writeMergedModel(merged, { adapterFolder, modelFolder: golden.folder });
  const ids = golden.batch.input_ids[0]!;
  const { graph } = buildLogitsGraph(golden.config, golden.weights, GOLDEN_LORA, ids.length);
  const { logits } = await compute(graph, { ...toLineInputs(ids, golden.config), ...state.views });
  const last = Array.from(logits!.subarray(-golden.config.vocabulary));
  const answer = await answerOf(golden, await loadAdapter(adapterFolder, golden.config), ids);
  await writeFile(join(folder, 'expected.json'), JSON.stringify({ logits: last, answer }));
}

/** The likeliest tokens, with the adapter beside the model. */
async function answerOf(
  model: GoldenModel,
  adapter: LoadedAdapter,
  promptIds: readonly number[],
): Promise<number[]> {
  const generator = createGenerator({ ...model, text: numbers });
  const tokens: number[] = [];
  try {
    const asked = { promptIds, adapter, temperature: 0, maxTokens: ANSWER_TOKENS };
    for await (const piece of generator.generate(asked)) tokens.push(...piece.tokenIds);
  } finally {
    await generator.close();
  }
  return tokens;
}
