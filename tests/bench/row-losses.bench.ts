// The losses of rows. What they cost: steps with and without them in turns, and whether the gradients and losses are the
// same bits. What they find: 3 % of the answers of a data set are swapped, and the worst 5 % of the rows are compared with
// them. SVC_BENCH_SETS=triage does less; SVC_BENCH_SEEDS=3 repeats it; SVC_BENCH_EPOCHS=12 trains longer.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRACTICE_NAMES, type PracticeRow, practiceRows } from '../../bundled-model/practice/index.js';
import { baseModelFolder } from '../../lib/base-model/index.js';
import { startTraining } from '../../lib/engine/index.js';
import {
  buildTrainingGraph,
  gradientOf,
  LABEL_LOSSES,
  MODULES,
  openModel,
} from '../../lib/engine/model/index.js';
import { createRandom } from '../../lib/engine/random.js';
import { createSession } from '../../lib/engine/runtime/index.js';
import { sumByRow } from '../../lib/engine/train/objective.js';
import { longestLine, packExamples, toInputs, toPass } from '../../lib/engine/train/packing.js';
import { type RowLossSort, readRowLosses } from '../../lib/engine/train/row-losses/read-row-losses.js';
import { createAdapterState, initializeLora } from '../../lib/engine/train/state.js';
import { trainOptions } from '../support/train-options.js';
import { median } from './median.js';
import { type Row, renderTable } from './table.js';

export const name = 'swapped answers among the rows with the highest losses';

const SETS = PRACTICE_NAMES.filter(set => process.env.SVC_BENCH_SETS?.split(',').includes(set) ?? true);
const SEEDS = Number(process.env.SVC_BENCH_SEEDS ?? 1);
const ROWS = 600;
const SWAPPED = 18;
const WORST = 30;
const EPOCHS = Number(process.env.SVC_BENCH_EPOCHS ?? 4);
const OPTIONS = {
  loraR: 16,
  loraAlpha: 32,
  loraDropout: 0.1,
  learningRate: 2e-3,
  batchSize: 16,
  lrSchedulerType: 'cosine',
} as const;

export async function run(): Promise<Row[]> {
  console.log(`${renderTable([await measureCost(false), await measureCost(true)])}\n`);
  const rows: Row[] = [];
  for (const set of SETS)
    for (let seed = 1; seed <= SEEDS; seed++) rows.push({ set, seed, ...(await findSwapped(set, seed)) });
  return rows;
}

async function findSwapped(set: (typeof PRACTICE_NAMES)[number], seed: number): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  try {
    const { rows, swapped } = swapAnswers(practiceRows(set, 'train', ROWS, 1), seed);
    const path = join(folder, 'rows.jsonl');
    await writeFile(path, rows.map(row => JSON.stringify(row)).join('\n'));
    const request = {
      modelFolder: baseModelFolder(),
      modelName: 'base',
      source: { type: 'file', path } as const,
      trainOn: 'assistant' as const,
      options: trainOptions({ ...OPTIONS, numTrainEpochs: EPOCHS, seed }),
      folder: join(folder, 'out'),
      cacheFolder: folder,
    };
    const { status } = await startTraining({ jobId: 'bench', request }, () => {}).ended;
    const found: Row = { status };
    for (const sort of ['first', 'mean', 'last', 'rise'] satisfies RowLossSort[]) {
      const query = { sort, rising: false, step: null, skip: 0, limit: WORST };
      const { rows: worst } = await readRowLosses(join(folder, 'out', 'row-losses.bin'), query);
      const hits = worst.filter(({ row }) => swapped.has(row)).length;
      found[`${sort} %`] = Math.round((100 * hits) / swapped.size);
    }
    return found;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Random rows give each other their answers, in a circle; none gets an answer that it already had. */
function swapAnswers(rows: readonly PracticeRow[], seed: number) {
  const random = createRandom(seed, 99);
  const chosen = new Map<string, number>();
  while (chosen.size < SWAPPED) {
    const index = Math.floor(random.next() * rows.length);
    chosen.set(rows[index]!.messages.at(-1)!.content, index);
  }
  const indices = [...chosen.values()];
  const changed = rows.map(({ messages }) => ({ messages: [...messages] }));
  for (const [i, index] of indices.entries()) {
    const other = rows[indices[(i + 1) % indices.length]!]!;
    changed[index]!.messages[changed[index]!.messages.length - 1] = other.messages.at(-1)!;
  }
  return { rows: changed, swapped: new Set(indices) };
}

const ROUNDS = 61;

/** Pairs of passes, with and without the losses of labels and their sums, in turns; sessions differ a little by themselves. */
async function measureCost(isFullFirst: boolean): Promise<Row> {
  const model = await openModel(baseModelFolder());
  const lora = { rank: 16, scaling: 2, modules: MODULES };
  const state = createAdapterState(model, lora);
  initializeLora(state, 1);
  const random = createRandom(3);
  const examples = Array.from({ length: 16 }, (_, row) => {
    const ids = Int32Array.from({ length: 60 + row }, () =>
      Math.floor(random.next() * model.config.vocabulary),
    );
    return { ids, supervised: Array.from(ids, (_, i) => i > 40), row };
  });
  const lines = packExamples(examples, { passTokens: 2048, lineTokens: 2048 })[0]!;
  const feeds = toInputs(toPass(lines, 1e-3), model.config);
  const { graph, parameters } = buildTrainingGraph(model.config, model.weights, lora, longestLine(512));
  const outputs = graph.outputs.filter(({ name: output }) => output !== LABEL_LOSSES);
  const { nodes, inputs, constants, computed } = graph;
  const openPlain = () => createSession({ nodes, inputs, constants, computed, outputs }, { spinning: true });
  const openFull = () => createSession(graph, { spinning: true });
  const opened = isFullFirst ? [await openFull(), await openPlain()] : [await openPlain(), await openFull()];
  const [plain, full] = isFullFirst ? opened.toReversed() : opened;
  const time = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  const [a, b] = [await plain!.run(feeds, state.views), await full!.run(feeds, state.views)];
  const isSame = ['loss', ...parameters.map(({ name: parameter }) => gradientOf(parameter))].every(output =>
    Buffer.from(a[output]!.buffer).equals(Buffer.from(b[output]!.buffer)),
  );
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const without = () => time(() => plain!.run(feeds, state.views));
    const withLosses = () =>
      time(async () => sumByRow(lines, (await full!.run(feeds, state.views))[LABEL_LOSSES]!));
    const first = round % 2 === 0 ? await without() : await withLosses();
    const second = round % 2 === 0 ? await withLosses() : await without();
    ratios.push(round % 2 === 0 ? second / first : first / second);
  }
  await plain!.close();
  await full!.close();
  const order = isFullFirst ? 'losses first' : 'losses last';
  return {
    opened: order,
    'same bits': String(isSame),
    'cost of a pass': `${(100 * (median(ratios) - 1)).toFixed(2)} %`,
  };
}
