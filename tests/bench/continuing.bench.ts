// Forgetting, for real: the base model learns one example data set, then goes on with another one, with and without rows of
// the first. Exact answers on held-out rows of both. SVC_BENCH_SEEDS=1 does less.
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PracticeRow, practiceRows, scoreExact } from '../../bundled-model/practice/index.js';
import { BASE_MODEL_NAME, baseModelFolder } from '../../lib/base-model/index.js';
import { startServing, startTraining, type TrainTask } from '../../lib/engine/index.js';
import { askServing } from '../support/ask-serving.js';
import { trainOptions } from '../support/train-options.js';
import type { Row } from './table.js';

export const name = `${BASE_MODEL_NAME} learns triage, then translation: share of held-out answers that are right to the letter`;

const SEEDS = Number(process.env.SVC_BENCH_SEEDS ?? 3);
const [FIRST, SECOND] = ['triage', 'translate'] as const;
const REPLAYS = [0, 0.1];
const [FIRST_STEPS, SECOND_STEPS] = [300, 200];
const OPTIONS = {
  loraR: 16,
  loraAlpha: 32,
  loraDropout: 0.1,
  batchSize: 16,
  lrSchedulerType: 'cosine',
  learningRate: 2e-3,
} as const;
const [TRAINING_ROWS, HELD_OUT_ROWS] = [600, 100];

const folder = await mkdtemp(join(tmpdir(), 'svc-continuing-'));
process.once('exit', () => rmSync(folder, { recursive: true }));
const heldOut = [FIRST, SECOND].map(set => practiceRows(set, 'held-out', HELD_OUT_ROWS, 1));

export async function run(): Promise<Row[]> {
  const [first, second] = [await writeRows(FIRST), await writeRows(SECOND)];
  const rows: Row[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const source = { type: 'file', path: first } as const;
    const before = await train(`${seed}`, { source }, { maxSteps: FIRST_STEPS, seed });
    rows.push({ seed, run: FIRST, replay: '', ...(await scores(before)) });
    for (const share of REPLAYS) {
      const from = { tensors: join(before, 'adapter_model.safetensors'), sha256: `${seed}`, state: null };
      const replay = share === 0 ? undefined : { share, sources: [{ source }] };
      const request = { source: { type: 'file', path: second } as const, from, replay };
      const options = { maxSteps: SECOND_STEPS, seed };
      const after = await train(`${seed}-${share}`, request, options);
      rows.push({ seed, run: `then ${SECOND}`, replay: share, ...(await scores(after)) });
    }
  }
  return rows;
}

async function writeRows(set: typeof FIRST | typeof SECOND): Promise<string> {
  const path = join(folder, `${set}.jsonl`);
  const rows = practiceRows(set, 'train', TRAINING_ROWS, 1);
  await writeFile(path, rows.map(({ messages }) => `${JSON.stringify({ messages })}\n`).join(''));
  return path;
}

/** The folder of the final adapter. */
async function train(
  run: string,
  rows: Pick<TrainTask['request'], 'source' | 'from' | 'replay'>,
  options: Parameters<typeof trainOptions>[0],
): Promise<string> {
  const task: TrainTask = {
    jobId: run,
    request: {
      ...rows,
      modelFolder: baseModelFolder(),
      modelName: BASE_MODEL_NAME,
      trainOn: 'assistant',
      options: trainOptions({ ...OPTIONS, ...options }),
      folder: join(folder, run),
      cacheFolder: folder,
    },
  };
  const { ended } = startTraining(task, event => {
    if (event.type === 'training.failed') console.error(event.error);
  });
  const { status } = await ended;
  if (status !== 'completed') throw new Error(`The training ${status}.`);
  return join(folder, run, 'final');
}

async function scores(adapterFolder: string): Promise<Record<string, string>> {
  const [first, second] = [await score(heldOut[0]!, adapterFolder), await score(heldOut[1]!, adapterFolder)];
  return { [FIRST]: first, [SECOND]: second };
}

async function score(rows: readonly PracticeRow[], adapterFolder: string): Promise<string> {
  const serving = startServing({ modelFolder: baseModelFolder(), maxBatch: 8, queueLimit: rows.length });
  try {
    const scored = rows.map(async ({ messages, answer }) => {
      const asked = messages.slice(0, -1).map(turn => ({ ...turn }));
      const { text } = await askServing(serving, { messages: asked, maxTokens: 120, adapterFolder });
      return scoreExact(answer, text);
    });
    const right = (await Promise.all(scored)).reduce((sum, one) => sum + one, 0);
    return `${((100 * right) / rows.length).toFixed(1)} %`;
  } finally {
    await serving.close();
  }
}
