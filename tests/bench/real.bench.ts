// The real models of `npm run test:real`, as svc reads their GGUF files: training in turns with PyTorch, where SVC_PYTHON has
// it, and answering in turns with llama.cpp, which is installed as for that test. SVC_BENCH_MODELS=smollm2 leaves out the rest.
import { openModel } from '../../lib/engine/model/index.js';
import { installLlama } from '../real/llama-cpp.js';
import { openRealModel, REAL_MODELS } from '../real/packages.js';
import { compareDecoding } from './engine/compare-decoding.js';
import { compareTraining } from './engine/compare-training.js';
import { rowsOf } from './engine/shapes.js';
import { type Row, renderTable } from './table.js';

export const name = 'real models: training a LoRA adapter of rank 16 on all modules';

const TOKENS = 24;

export async function run(): Promise<Row[]> {
  const wanted = process.env.SVC_BENCH_MODELS?.split(',') ?? REAL_MODELS.map(model => model.name);
  const llama = await installLlama();
  const training: Row[] = [];
  const decoding: Row[] = [];
  for (const real of REAL_MODELS.filter(model => wanted.includes(model.name))) {
    const folder = await openRealModel(real);
    const { config } = await openModel(folder);
    const rows = rowsOf({ vocabulary: config.vocabulary, batch: 2, sequence: 256 }, 'chat');
    const named = { model: real.name };
    for (const row of await compareTraining(folder, rows)) training.push({ ...named, ...row });
    for (const row of await compareDecoding(folder, TOKENS, llama)) decoding.push({ ...named, ...row });
  }
  console.log(`\ngenerating\n${renderTable(decoding)}`);
  return training;
}
