// The bundled model answers random schemas at temperature 1, eight at a time.
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createGenerator } from '../../../lib/engine/generate/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { createRandom } from '../../../lib/engine/random.js';
import { openText } from '../../../lib/engine/text/index.js';
import { randomDocument, type SomeSchema } from './random-schema.js';

const folder = fileURLToPath(new URL('../../../lib/base-model/files', import.meta.url));

interface SchemaAnswer {
  schema: SomeSchema;
  text: string;
}

export interface SchemaAnswers {
  /** Those that ended by themselves. The others were closed. */
  ended: number;
  /** Answers that do not fit, each with its schema. */
  invalid: SchemaAnswer[];
  fitting: SchemaAnswer[];
}

export async function openBundled() {
  const text = await openText(folder);
  const generator = createGenerator({ ...(await openModel(folder)), text, session: { threads: 1 } });
  await generator.prepareShapes();
  const messages = [{ role: 'user', content: 'Write something.' }];
  const promptIds = text.encode(text.renderChat(messages, { addGenerationPrompt: true }));
  return { generator, promptIds };
}

export async function answerSchemas(count: number, seed: number): Promise<SchemaAnswers> {
  const { next } = createRandom(seed, 3);
  const ajv = formats.default(new Ajv2020({ strict: false }));
  const schemas = Array.from({ length: count }, () => randomDocument(next));
  const { generator, promptIds } = await openBundled();
  const found: SchemaAnswers = { ended: 0, invalid: [], fitting: [] };
  let started = 0;

  async function answerNext(): Promise<void> {
    for (let i = started++; i < count; i = started++) {
      const schema = schemas[i]!;
      let answer = '';
      let reason: string | undefined;
      const request = { promptIds, shape: { json: schema }, seed: i, temperature: 1 };
      for await (const piece of generator.generate(request)) {
        answer += piece.text;
        reason = piece.finishReason;
      }
      if (reason === 'stop') found.ended++;
      const isValid = isJson(answer) && ajv.validate(schema, JSON.parse(answer));
      found[isValid ? 'fitting' : 'invalid'].push({ schema, text: answer });
    }
  }

  try {
    await Promise.all(Array.from({ length: 8 }, answerNext));
  } finally {
    await generator.close();
  }
  return found;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
