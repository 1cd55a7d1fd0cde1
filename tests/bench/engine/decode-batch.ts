// The bundled model continues so many texts at once, with an adapter: a line of tokens a second for each line that it reads.
// `tsx decode-batch.ts FOLDER WEIGHTS TEXTS TOKENS`, in a process of its own, as one that answers chats.
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import { createGenerator } from '../../../lib/engine/generate/index.js';
import type { WeightPrecision } from '../../../lib/engine/int8/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { openWeights } from '../../../lib/engine/train/index.js';
import { dots } from '../../support/text-decodings.js';
import { decode, randomAdapter } from './decode-lines.js';
import { randomPrompt, SHORT_PROMPT } from './decoding-cases.js';

const [folder, weights, texts, tokens] = process.argv.slice(2) as [string, WeightPrecision, string, string];
const stored = await openModel(baseModelFolder());
const model = await openWeights(stored, weights, { folder: join(folder, 'rounded'), trains: false });
const generator = createGenerator({ ...model, text: dots, maxBatch: Number(texts) });
const adapter = randomAdapter(model.config, 1);
const lines = Array.from({ length: Number(texts) }, (_, i) => ({
  promptIds: randomPrompt(SHORT_PROMPT, model.config.vocabulary, i),
  adapter,
}));
await decode(generator, lines, 8);
console.log('{}');
for await (const _ of createInterface({ input: process.stdin }))
  console.log(JSON.stringify({ speed: await decode(generator, lines, Number(tokens)) }));
await generator.close();
