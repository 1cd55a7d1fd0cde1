// `npm run test:real`: real models from their GGUF files, beside what transformers and PEFT computed with them: the same
// tokens of chats, the first 32 likeliest tokens of 20 answers, the losses of 30 steps, and answers with that adapter. Then
// the same answers in llama.cpp, from GGUF files that are written here. And the rows of examples/reviews.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAdapter } from '../../lib/engine/generate/adapters.js';
import { createGenerator, type Generator, type LoadedAdapter } from '../../lib/engine/generate/index.js';
import { type ModelSource, openModel } from '../../lib/engine/model/index.js';
import { type ModelText, openText } from '../../lib/engine/text/index.js';
import { openWeights } from '../../lib/engine/train/index.js';
import { checkExports } from './exports.js';
import { checkMiniatures } from './miniatures.js';
import { fetchRealModel, openRealModel, REAL_MODELS, type RealModel } from './packages.js';
import {
  findDifference,
  type Reference,
  type ReferenceAnswer,
  readReference,
  renderPrompt,
} from './reference.js';
import { checkReviews } from './reviews.js';
import { compareRounding } from './rounding.js';
import { trainSteps } from './train-steps.js';
import { writeUntrained } from './untrained.js';

/** How far a loss may be from PEFT's, as a share of it. */
const LOSS_TOLERANCE = 0.005;
/** How far the mean loss in 8-bit integers may be: these rows surprise the model, which rounding makes less sure of itself. */
const ROUNDED_TOLERANCE = 0.05;

/** How far what it expects in 8-bit integers may be from its floats: so many times as far as q8_0, over so few texts. */
const [LARGEST_DIVERGENCE, TEXTS] = [2, 20];

/** `run.ts short`: some of the models, answers and steps, for every change. `run.ts NAME`: only that model, all of it. */
const wanted = process.argv[2];
const isShort = wanted === 'short';
const models = REAL_MODELS.filter(({ name, isQuick }) => (isShort ? isQuick : name === (wanted ?? name)));

const faults: string[] = [];

faults.push(...(await checkMiniatures()));
for (const model of models) await check(model);
faults.push(...(await checkReviews(await fetchRealModel(REAL_MODELS[0]!))));
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

async function check(real: RealModel): Promise<void> {
  const start = performance.now();
  const folder = await openRealModel(real);
  tell(real, `opened in ${seconds(start)} s`);
  const [model, text, reference] = [
    await openModel(folder),
    await openText(folder),
    isShort ? shorten(readReference(real.name)) : readReference(real.name),
  ];
  const work = await mkdtemp(join(tmpdir(), 'svc-real-'));
  try {
    await checkAnswers(real, { model, text, answers: reference.answers });
    const adapterFolder = join(work, 'adapter');
    const adapter = await checkTraining(real, model, reference, adapterFolder);
    await checkRounded(real, model, reference, work);
    if (!isShort) await checkDivergence(real, folder);
    const answers = reference.trainedAnswers;
    await checkAnswers(real, { model, text, answers, adapter });
    const untrained = await writeUntrained(model, join(work, 'untrained'));
    const found = await checkExports(
      {
        ...{ modelFolder: folder, text, work },
        untrained: { adapterFolder: untrained, answers: reference.answers },
        trained: { adapterFolder, answers },
      },
      line => tell(real, line),
    );
    faults.push(...found.map(fault => `${real.name}: ${fault}`));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** After fewer steps, the answers of the trained adapter are others. */
function shorten({ answers, training }: Reference): Reference {
  return {
    answers: answers.slice(0, 4),
    training: { ...training, losses: training.losses.slice(0, 4) },
    trainedAnswers: [],
  };
}

interface Answers {
  model: ModelSource;
  text: ModelText;
  answers: Reference['answers'];
  adapter?: LoadedAdapter;
}

async function checkAnswers(real: RealModel, { model, text, answers, adapter }: Answers): Promise<void> {
  if (answers.length === 0) return;
  const generator = createGenerator({ ...model, text, context: 512 });
  const start = performance.now();
  let parted = 0;
  for (const answer of answers) {
    const difference = await compareAnswer(generator, text, answer, adapter);
    if (difference === null) continue;
    parted++;
    faults.push(`${real.name}: ${JSON.stringify(answer.prompt)}: ${difference}`);
  }
  await generator.close();
  const kind = adapter ? 'answers with the adapter' : 'answers';
  tell(
    real,
    `${answers.length - parted} of ${answers.length} ${kind} as in transformers, in ${seconds(start)} s`,
  );
}

async function compareAnswer(
  generator: Generator,
  text: ModelText,
  answer: ReferenceAnswer,
  adapter: LoadedAdapter | undefined,
): Promise<string | null> {
  const promptIds = text.encode(renderPrompt(text, answer.prompt));
  if (promptIds.join() !== answer.ids.join()) return `the prompt has other tokens: ${promptIds.join()}`;
  const tokens: number[] = [];
  let isEnded = false;
  const asked = { promptIds, adapter, temperature: 0, maxTokens: answer.steps.length };
  for await (const piece of generator.generate(asked)) {
    tokens.push(...piece.tokenIds);
    isEnded = piece.finishReason === 'stop';
  }
  return findDifference(answer, isEnded ? [...tokens, text.endIds[0]!] : tokens);
}

async function checkTraining(
  real: RealModel,
  model: ModelSource,
  { training }: Reference,
  folder: string,
): Promise<LoadedAdapter> {
  const { losses, seconds } = await trainSteps(model, training, folder);
  const differences = losses.map((loss, step) => Math.abs(loss / training.losses[step]! - 1));
  const worst = Math.max(...differences);
  if (!(worst <= LOSS_TOLERANCE))
    faults.push(
      `${real.name}: the loss of step ${differences.indexOf(worst)} is ${percent(worst)} from PEFT's`,
    );
  tell(real, `${losses.length} steps in ${seconds.toFixed(1)} s, losses within ${percent(worst)} of PEFT's`);
  return loadAdapter(folder, model.config);
}

/** In 8-bit integers. */
async function checkRounded(
  real: RealModel,
  model: ModelSource,
  { training }: Reference,
  work: string,
): Promise<void> {
  const rounded = await openWeights(model, 'int8', { folder: join(work, 'rounded'), trains: true });
  const { losses, seconds } = await trainSteps(rounded, training, join(work, 'rounded-adapter'));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const off = sum(losses) / sum(training.losses) - 1;
  const text = `${losses.length} steps in int8 in ${seconds.toFixed(1)} s, with a mean loss ${percent(off)} from PEFT's`;
  tell(real, text);
  if (!(Math.abs(off) <= ROUNDED_TOLERANCE)) faults.push(`${real.name}: ${text}`);
}

/** Of what the model expects in 8-bit integers, beside llama.cpp's q8_0. */
async function checkDivergence(real: RealModel, folder: string): Promise<void> {
  const [own, q8] = (await compareRounding(folder, TEXTS)).map(({ cost }) => cost.divergence);
  const times = own! / q8!;
  const text = `in int8, it is ${own!.toFixed(4)} nats from the floats, ${times.toFixed(2)} times as far as q8_0 (${q8!.toFixed(4)})`;
  tell(real, text);
  if (!(times <= LARGEST_DIVERGENCE)) faults.push(`${real.name}: ${text}`);
}

function tell({ name }: RealModel, text: string): void {
  console.log(`${name}: ${text}`);
}

function seconds(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(3)}%`;
}
