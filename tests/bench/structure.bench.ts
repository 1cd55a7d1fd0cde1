// Answers of a given shape beside free ones: tokens a second of the bundled model, in turns; and how long one token's
// mask takes with large vocabularies.
import { fileURLToPath } from 'node:url';
import { createGenerator, type GenerateRequest, type Generator } from '../../lib/engine/generate/index.js';
import { openModel } from '../../lib/engine/model/index.js';
import { createRandom } from '../../lib/engine/random.js';
import { createStructure, type JsonSchema } from '../../lib/engine/structure/index.js';
import { createTokenTable } from '../../lib/engine/structure/token-table.js';
import { openText } from '../../lib/engine/text/index.js';
import { median } from './median.js';
import { type Row, renderTable } from './table.js';

export const name = 'answers of a given shape, beside free ones';

const folder = fileURLToPath(new URL('../../lib/base-model/files', import.meta.url));
const ROUNDS = 9;
const TOKENS = 96;

/** Answers are as long as is asked. */
const schema: JsonSchema = {
  type: 'array',
  minItems: 900,
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 20 },
      kind: { enum: ['bug', 'wish', 'praise', 'question'] },
      urgent: { type: 'boolean' },
      count: { type: 'integer', minimum: 0, maximum: 500 },
    },
    required: ['name', 'kind', 'urgent', 'count'],
    additionalProperties: false,
  },
};

/** The same with what regular expressions say of strings. */
const patterned: JsonSchema = {
  type: 'array',
  minItems: 900,
  items: {
    type: 'object',
    properties: {
      email: { type: 'string', format: 'email' },
      at: { type: 'string', format: 'date-time' },
      code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3,5}$' },
      title: { type: 'string', pattern: '^[^\\s,]+(?: [^\\s,]+)*$', maxLength: 40 },
    },
    required: ['email', 'at', 'code', 'title'],
    additionalProperties: false,
  },
};

export async function run(): Promise<Row[]> {
  console.log(
    `One mask of a large vocabulary\n${renderTable(SIZES.flatMap(size => [measureMasks(size, 'limits'), measureMasks(size, 'patterns')]))}`,
  );
  const text = await openText(folder);
  const generator = createGenerator({ ...(await openModel(folder)), text });
  await generator.prepareShapes();
  const messages = [{ role: 'user', content: 'List what our customers wrote.' }];
  const promptIds = text.encode(text.renderChat(messages, { addGenerationPrompt: true }));
  // A free answer goes on for as long.
  const logitBias = Object.fromEntries(text.endIds.map(id => [id, -100]));
  try {
    const rows: Row[] = [];
    for (const batch of [1, 8]) {
      const speeds = { free: [] as number[], shaped: [] as number[] };
      for (let round = 0; round <= ROUNDS; round++) {
        const free = await decode(generator, { promptIds, logitBias, seed: round }, batch);
        const shaped = await decode(generator, { promptIds, shape: { json: schema }, seed: round }, batch);
        if (round === 0) continue;
        speeds.free.push(free);
        speeds.shaped.push(shaped);
      }
      rows.push({
        batch,
        'free tokens/s': Math.round(median(speeds.free)),
        'shaped tokens/s': Math.round(median(speeds.shaped)),
        'times free': median(speeds.shaped.map((speed, i) => speed / speeds.free[i]!)).toFixed(2),
      });
    }
    return rows;
  } finally {
    await generator.close();
  }
}

/** Tokens a second of all answers together. */
async function decode(generator: Generator, request: GenerateRequest, batch: number): Promise<number> {
  const start = performance.now();
  const counts = await Promise.all(
    Array.from({ length: batch }, async (_, i) => {
      const asked = { ...request, temperature: 1, maxTokens: TOKENS, seed: 100 * request.seed! + i };
      for await (const piece of generator.generate(asked))
        if (piece.finishReason) return piece.usage.completionTokens;
      return 0;
    }),
  );
  return (1000 * counts.reduce((sum, count) => sum + count, 0)) / (performance.now() - start);
}

const SIZES = [49_152, 151_936];

/** Every token needs a mask, since the logits are random: the worst case. */
function measureMasks(size: number, what: 'limits' | 'patterns'): Row {
  const { next } = createRandom(size, 1);
  const tokens = makeVocabulary(size, next);
  const startedAt = performance.now();
  const table = createTokenTable({
    vocabSize: size,
    bytesOf: id => tokens[id]!,
    isSpecial: () => false,
    endIds: [size - 1],
  });
  const tableMs = performance.now() - startedAt;
  const [first, later] = [measureAnswer(table), measureAnswer(table)];
  const ms = (value: number) => value.toFixed(2);
  return {
    vocabulary: size,
    strings: what,
    'table, once ms': Math.round(tableMs),
    'first answer, median ms': ms(median(first)),
    'longest ms': ms(Math.max(...first)),
    'next answer, median ms': ms(median(later)),
    'its longest ms': ms(Math.max(...later)),
  };

  function measureAnswer(given: typeof table): number[] {
    const structure = createStructure(given, { json: what === 'limits' ? schema : patterned });
    const logits = new Float32Array(size);
    return Array.from({ length: 300 }, () => {
      for (let id = 0; id < size; id++) logits[id] = next();
      const begun = performance.now();
      structure.choose(logits, argmax);
      return performance.now() - begun;
    });
  }
}

function argmax(logits: Float32Array): number {
  let best = 0;
  for (let id = 1; id < logits.length; id++) if (logits[id]! > logits[best]!) best = id;
  return best;
}

/** All bytes, and words as long as those of real vocabularies, some with the marks of JSON, a fifth in other scripts. */
function makeVocabulary(size: number, next: () => number): Uint8Array[] {
  const letters = 'eeeettaaooiinnsshhrrddllccuummwwffggyyppbbvvkkjxqz';
  const marks = ['"', '":', '",', '{"', '"}', '},', ' "', '": "', ', ', '[', ']', ': '];
  const words = Array.from({ length: size - 256 }, (_, i) => {
    if (i % 5 === 0) {
      const [first, count, most] = i % 10 ? [0x4e00, 8000, 3] : [0x430, 32, 7];
      const points = Array.from(
        { length: 1 + Math.floor(next() * most) },
        () => first + Math.floor(next() * count),
      );
      // Some end within a character.
      return Buffer.from(String.fromCodePoint(...points)).subarray(0, i % 50 ? undefined : -1);
    }
    const length = 2 + Math.floor(next() * next() * 10);
    const word = Array.from({ length }, () => letters[Math.floor(next() * letters.length)]).join('');
    const mark = i % 40 === 1 ? marks[Math.floor(next() * marks.length)]! : '';
    return Buffer.from(`${i % 2 ? ' ' : ''}${word}${mark}`);
  });
  return [...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)), ...words];
}
