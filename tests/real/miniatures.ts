// The reference models with an adapter merged into them, as GGUF files in llama.cpp: one of each architecture.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelMetadata } from '../../lib/engine/export/gguf-metadata.js';
import { encodeGgufModel } from '../../lib/engine/export/gguf-model.js';
import { writeMergedModel } from '../../lib/engine/index.js';
import { attentionOf, openModel, openModelAdapter } from '../../lib/engine/model/index.js';
import { openWeights } from '../../lib/engine/weights/index.js';
import { madeUpTokenizer } from '../bench/engine/llama-file.js';
import { logitsOf } from '../engine/model/logits-of.js';
import { makeGoldenBase } from '../support/golden-base.js';
import { GOLDEN_MODELS, openGoldenModel } from '../support/golden-models.js';
import { makeAdapterFolder } from '../support/sample-adapter.js';
import { openLlama } from './llama-cpp.js';

/** llama.cpp has keys and values in 16 bits. */
const TOLERANCE = 0.01;

/** Returns what is wrong. */
export async function checkMiniatures(): Promise<string[]> {
  const llama = await openLlama();
  const faults: string[] = [];
  for (const name of GOLDEN_MODELS) {
    const work = await mkdtemp(join(tmpdir(), 'svc-miniature-'));
    try {
      const { path, merged, longest } = await writeFiles(name, work);
      const ids = (await openGoldenModel(name)).batch.input_ids[0]!.slice(0, longest);
      const model = await llama.open(path, 64);
      const theirs = (await model.logits(ids)).at(-1)!;
      await model.close();
      const ours = (await logitsOf(await openModel(merged), ids)).subarray(-theirs.length);
      const worst = Math.max(...Array.from(theirs, (logit, i) => Math.abs(logit - ours[i]!)));
      console.log(`${name}: logits in llama.cpp within ${worst.toFixed(4)}`);
      if (!(worst <= TOLERANCE)) faults.push(`${name}: logits in llama.cpp are ${worst} off`);
    } finally {
      await rm(work, { recursive: true });
    }
  }
  await llama.close();
  return faults;
}

async function writeFiles(name: string, work: string) {
  const [base, merged, path] = ['base', 'merged', 'model.gguf'].map(part => join(work, part)) as [
    string,
    string,
    string,
  ];
  await makeGoldenBase(base, name, (await openGoldenModel(name)).llamaCpp.settings);
  const adapterFolder = await makeAdapterFolder(join(work, 'adapter'), base);
  await mkdir(merged);
  await writeMergedModel(merged, { adapterFolder, modelFolder: base });
  const { config } = await openModel(base);
  const metadata = { ...modelMetadata(config, base), ...madeUpTokenizer(config.vocabulary) };
  const [weights, adapter] = [await openWeights(base), await openModelAdapter(adapterFolder, config)];
  await writeFile(path, encodeGgufModel({ config, weights, adapter, metadata }));
  const windows = config.llamaCpp.hasWindows ? [] : attentionOf(config).flatMap(({ window }) => window ?? []);
  // llama.cpp turns all texts as long ones where its context is longer than the original positions.
  return { path, merged, longest: Math.min(40, ...windows) };
}
