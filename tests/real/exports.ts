// A real model with an adapter merged into it, as GGUF files in llama.cpp: its answers, and how well it knows a text.
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Quantization, writeGgufModel } from '../../lib/engine/index.js';
import type { ModelText } from '../../lib/engine/text/index.js';
import { repositoryRoot } from '../support/repository-root.js';
import { type LlamaModel, openLlama } from './llama-cpp.js';
import { findDifference, type ReferenceAnswer, renderPrompt } from './reference.js';

/** An adapter, and the answers with it; without any, nothing is asked. */
interface Adapted {
  adapterFolder: string;
  answers: readonly ReferenceAnswer[];
}

interface Exported {
  modelFolder: string;
  text: ModelText;
  untrained: Adapted;
  trained: Adapted;
  /** Empty. */
  work: string;
}

const WINDOW = 511;

/** By how much the perplexity may be above that of the floats, as a share of it. */
const LOSSES: Record<Quantization, number> = { q8_0: 0.02, q4_k_m: 0.1 };

/** Returns what is wrong. */
export async function checkExports(exported: Exported, tell: (line: string) => void): Promise<string[]> {
  const llama = await openLlama();
  const faults: string[] = [];
  const windows = await readWindows(exported.text);
  const perplexityOf = async (model: LlamaModel) => {
    const losses = [await model.loss(windows[0]!), await model.loss(windows[1]!)];
    return Math.exp((losses[0]! + losses[1]!) / 2);
  };
  const withFile = async <T>(
    { adapterFolder }: Adapted,
    quantization: Quantization | undefined,
    use: (model: LlamaModel) => Promise<T>,
  ): Promise<T> => {
    const { modelFolder, work } = exported;
    const folder = join(work, quantization ?? 'floats');
    await mkdir(folder);
    const start = performance.now();
    const source = { adapterFolder, modelFolder, name: 'real', quantization };
    const { files } = await writeGgufModel(folder, source);
    const path = join(folder, files[0]);
    const megabytes = (await stat(path)).size / 1e6;
    const seconds = (performance.now() - start) / 1000;
    tell(`${files[0]} with ${megabytes.toFixed(0)} MB, written in ${seconds.toFixed(1)} s`);
    const model = await llama.open(path, WINDOW + 1);
    try {
      return await use(model);
    } finally {
      await model.close();
      await rm(folder, { recursive: true });
    }
  };
  const check = async (model: LlamaModel, { answers }: Adapted) =>
    faults.push(...(await checkAnswers(model, exported.text, answers, tell)));
  const { untrained, trained } = exported;
  const floats = await withFile(untrained, undefined, async model => {
    await check(model, untrained);
    return perplexityOf(model);
  });
  // The trained model knows prose no longer.
  if (trained.answers.length > 0) await withFile(trained, undefined, model => check(model, trained));
  for (const [quantization, most] of Object.entries(LOSSES) as [Quantization, number][]) {
    const found = await withFile(untrained, quantization, perplexityOf);
    const more = found / floats - 1;
    const text = `${quantization} has a perplexity of ${found.toFixed(3)} in place of ${floats.toFixed(3)}, ${(100 * more).toFixed(2)}% more`;
    tell(text);
    if (!(more <= most)) faults.push(text);
  }
  await llama.close();
  return faults;
}

async function checkAnswers(
  model: LlamaModel,
  text: ModelText,
  answers: readonly ReferenceAnswer[],
  tell: (line: string) => void,
): Promise<string[]> {
  const faults: string[] = [];
  for (const answer of answers) {
    const ids = model.encode(renderPrompt(text, answer.prompt));
    const difference =
      ids.join() === answer.ids.join()
        ? findDifference(answer, await model.answer(answer.ids, answer.steps.length))
        : `the prompt has other tokens: ${ids.join()}`;
    if (difference === null) continue;
    faults.push(`llama.cpp: ${JSON.stringify(answer.prompt)}: ${difference}`);
  }
  if (answers.length > 0)
    tell(`${answers.length - faults.length} of ${answers.length} answers in llama.cpp as in transformers`);
  return faults;
}

/** Two windows of prose, each from the start of a text. */
async function readWindows(text: ModelText): Promise<number[][]> {
  const words = await readFile(join(repositoryRoot, 'docs', 'architecture.md'), 'utf8');
  const first = text.encode('', { addSpecialTokens: true });
  const ids = text.encode(words.slice(words.indexOf('- **Studio**')));
  const size = WINDOW - first.length;
  return [ids.slice(0, size), ids.slice(size, 2 * size)].map(part => [...first, ...part]);
}
