// Small runs of training, and what they told.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom } from '../../../lib/engine/random.js';
import { completeOptions, type TrainOptions } from '../../../lib/engine/train/options.js';
import type { Example } from '../../../lib/engine/train/packing.js';
import {
  prepareTraining,
  type TokenTrainRequest,
  type TrainRequest,
} from '../../../lib/engine/train/prepare.js';
import type { PrepareOptions } from '../../../lib/engine/train/prepare-rows.js';
import { type TrainJob, train } from '../../../lib/engine/train/trainer.js';
import type { TrainEvent } from '../../../lib/engine/train/training-loop.js';
import { openGoldenModel } from '../../support/golden-models.js';
import { trainOptions } from '../../support/train-options.js';

export const model = await openGoldenModel('llama');

/** Random rows, of whose tokens all but the first three are learned. */
export function examples(count: number, seed = 1): Example[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const length = 6 + Math.floor(random.next() * 20);
    const ids = Int32Array.from({ length }, () => Math.floor(random.next() * 320));
    return { ids, supervised: Array.from(ids, (_, i) => i >= 3) };
  });
}

type Rest = Partial<TrainJob> & Pick<TrainJob, 'folder'>;

export function quickJob(options: Partial<TrainOptions>, rest: Rest): TrainJob {
  const quick = { loraR: 4, loraAlpha: 8, batchSize: 4, learningRate: 1e-2, maxSteps: 8, threads: 1 };
  return {
    model,
    baseModel: 'tiny',
    examples: examples(12),
    evaluation: [],
    options: completeOptions(model, trainOptions({ ...quick, ...options })),
    ...rest,
  };
}

type Tells = (event: TrainEvent) => boolean;
const never: Tells = () => false;

/** Trains, and leaves after the event that `isLast` tells, if there is one. */
export async function run(job: TrainJob, isLast = never): Promise<TrainEvent[]> {
  const events: TrainEvent[] = [];
  for await (const event of train(job)) {
    events.push(event);
    if (isLast(event)) break;
  }
  return events;
}

/** The same with what a request names. */
export async function prepareAndRun(
  request: TrainRequest | TokenTrainRequest,
  options: PrepareOptions = {},
  isLast = never,
): Promise<TrainEvent[]> {
  const { job, close } = await prepareTraining(request, options);
  return run(job, isLast).finally(close);
}

export const isSaved =
  (step: number): Tells =>
  event =>
    event.type === 'checkpoint' && event.step === step;

export const logsOf = (events: readonly TrainEvent[]) =>
  events.flatMap(event => (event.type === 'log' ? [event] : []));

export const lossesOf = (events: readonly TrainEvent[]) =>
  logsOf(events).map(({ step, loss, evalLoss }) => [step, loss, evalLoss] as const);

/** So small that a few rows are a large data set. */
export const LARGE = {
  limits: { small: { rows: 4, bytes: 1000 }, opening: { rows: 4, bytes: 1000 } },
} satisfies PrepareOptions;

export const SIZES: [string, PrepareOptions][] = [
  ['small', {}],
  ['large', LARGE],
];

export const chat = (question: string, answer: string) => ({
  messages: [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ],
});

export const writeRows = (path: string, rows: readonly unknown[]) =>
  writeFile(path, rows.map(row => JSON.stringify(row)).join('\n'));

/** A request to train on these rows, in a folder of this name beside them. */
export async function trainRequest(
  folder: string,
  name: string,
  rows: readonly unknown[],
  {
    options,
    ...rest
  }: Pick<TrainRequest, 'modelFolder'> &
    Partial<Omit<TrainRequest, 'options'>> & { options: Partial<TrainOptions> },
): Promise<TrainRequest> {
  const [path, out] = [join(folder, 'rows.jsonl'), join(folder, name)];
  await writeRows(path, rows);
  await mkdir(out, { recursive: true });
  const source = { type: 'file', path } as const;
  return {
    modelName: 'tiny',
    source,
    trainOn: 'assistant',
    folder: out,
    cacheFolder: folder,
    options: trainOptions(options),
    ...rest,
  };
}

export const readFinal = (...folders: string[]) =>
  readFile(join(...folders, 'final', 'adapter_model.safetensors'));
