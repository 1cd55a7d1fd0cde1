// The bundled base model: its files load, match the recipe, and answer.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { baseModelFolder } from '../../lib/base-model/index.js';
import { startServing } from '../../lib/engine/index.js';
import { openModel, weightShapes } from '../../lib/engine/model/index.js';
import { openText } from '../../lib/engine/text/index.js';
import { askServing } from '../../tests/support/ask-serving.js';
import { families } from '../corpus/index.js';
import { CONFIG, CYCLES } from '../recipe/settings.js';

const folder = baseModelFolder();
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const atHome = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

describe('the files of the base model', () => {
  it('are those of a model folder, and at most 16 MB', () => {
    const names = readdirSync(folder).sort();
    expect(names).toEqual([
      'config.json',
      'generation_config.json',
      'model.safetensors',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
    const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(16e6);
  });

  it('match the recipe: 3 to 8 million parameters and a context of 1,024', async () => {
    expect(JSON.parse(read('config.json'))).toMatchObject(CONFIG);
    const { config, place } = await openModel(folder);
    const sizes = [...weightShapes(config)].map(([name, shape]) => {
      expect(place(name).dtype).toBe('bfloat16');
      return shape.reduce((size, length) => size * length, 1);
    });
    const parameters = sizes.reduce((sum, size) => sum + size, 0);
    expect(parameters).toBeGreaterThan(3e6);
    expect(parameters).toBeLessThan(8e6);
    expect(config.maxPositions).toBe(1024);
    const text = await openText(folder);
    expect(text.vocabSize).toBe(CONFIG.vocab_size);
    expect(text.endIds).toHaveLength(1);
  });

  it('come with a complete training log and a card that scores every family', () => {
    const lines = atHome('training-log.csv').trim().split('\n');
    expect(lines[0]).toMatch(/cores/);
    expect(lines[1]).toBe('cycle,step,tokens,train_loss,held_out_loss,seconds');
    const rows = lines.slice(2).map(line => line.split(',').map(Number));
    const [cycle, step] = rows.at(-1)!;
    expect(step).toBe(CYCLES[cycle! - 1]!.totalSteps);
    expect(rows.flat().every(Number.isFinite)).toBe(true);
    expect(rows.at(-1)![4]).toBeLessThan(rows[0]![4]!);
    const card = atHome('README.md');
    for (const { name } of families) expect(card).toMatch(new RegExp(`^\\| ${name} \\|.*%`, 'm'));
  });
});

describe('the base model', () => {
  const serving = startServing({ modelFolder: folder });
  afterAll(() => serving.close());

  const ask = (content: string) =>
    askServing(serving, { messages: [{ role: 'user', content }], maxTokens: 100 });

  it.each(['Hello!', 'What are you?', 'My order 4821 has not arrived. What can I do?'])(
    'answers "%s" in words, and ends its turn',
    async content => {
      const { text, finishReason } = await ask(content);
      expect(finishReason).toBe('stop');
      expect(text).toMatch(/^[A-Z][^<|]*[.!?]$/);
    },
  );

  it('says that it is a tiny model, and repeats an order number', async () => {
    expect((await ask('What are you?')).text).toMatch(/tiny|svc/);
    expect((await ask('My order 4821 has not arrived. What can I do?')).text).toContain('4821');
  });
});
