// Answers of a given shape, written with made-up logits instead of a model's, and a real vocabulary.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { argmax } from '../../../lib/engine/generate/sampler.js';
import { createRandom } from '../../../lib/engine/random.js';
import { type AnswerShape, createStructure, type JsonSchema } from '../../../lib/engine/structure/index.js';
import { createTokenTable } from '../../../lib/engine/structure/token-table.js';
import { openTiny } from '../text/tiny-text.js';

export const text = await openTiny({ merges: 50 });
export const table = createTokenTable(text);

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
export const isValid = (schema: JsonSchema, value: unknown) => ajv.validate(schema as object, value);

/** Writes an answer with these logits for each step. */
export function write(shape: AnswerShape, logitsOf: (step: number) => Float32Array, most = 1500) {
  const structure = createStructure(table, shape);
  const [inText, whole, undecided]: [number[], number[], number[]] = [[], [], []];
  const calls: { name: string; ids: number[] }[] = [];
  let isEnded = false;
  for (let step = 0; step < most && !isEnded; step++) {
    const id = structure.choose(logitsOf(step), argmax, most - step);
    const { writes, call } = structure.taken;
    if (writes === 'undecided') undecided.push(id);
    else {
      const before = undecided.splice(0);
      if (writes === 'text' && !table.endIds.has(id)) inText.push(...before, id);
    }
    if (call) {
      calls[call.index] ??= { name: call.name, ids: [] };
      calls[call.index]!.ids.push(id);
    }
    if (!table.endIds.has(id)) whole.push(id);
    isEnded = structure.isEnded || table.endIds.has(id);
  }
  return {
    text: text.decode(inText),
    calls: calls.map(({ name, ids }) => ({ name, arguments: text.decode(ids) })),
    whole: text.decode(whole),
    isEnded,
    isCut: structure.isCut,
  };
}

export function randomLogits(seed: number): (step: number) => Float32Array {
  const { next } = createRandom(seed, 1);
  return () => Float32Array.from({ length: text.vocabSize + 4 }, () => next() * 8);
}

/** The logits of a model that wants to write this text, and then something else. */
export function wanting(given: string, after = ''): (step: number) => Float32Array {
  const ids = [...text.encode(given), ...text.encode(after)];
  return step => logitsFor(ids[step] ?? text.endIds[0]!);
}

export function logitsFor(...ids: number[]): Float32Array {
  const logits = new Float32Array(text.vocabSize);
  for (const id of ids) logits[id] = 10;
  return logits;
}
