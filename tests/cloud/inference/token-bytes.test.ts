import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createTokenTable } from '../../../lib/cloud/inference/token-bytes.js';
import { openText } from '../../../lib/engine/text/index.js';
import { makeTextFolder, type Style } from '../../support/tiny-tokenizer.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function makeFolder(style: Style) {
  const folder = await makeTextFolder({ style });
  folders.push(folder);
  return folder;
}

describe("the bytes of a model's tokens", () => {
  it.each<Style>(['gpt2', 'qwen', 'llama'])('are the text again, put together (%s)', async style => {
    const folder = await makeFolder(style);
    const [model, bytesOf] = [await openText(folder), await createTokenTable(folder).read()];
    const sentence = 'Hello there, the naïve 🦊 says:\n<|im_end|>';
    const bytes = Buffer.concat(model.encode(sentence).map(bytesOf));
    expect(bytes.toString().replace(/^ /, '')).toBe(sentence);
  });

  it('are those of a part of a character, too', async () => {
    const folder = await makeFolder('llama');
    const model = await openText(folder);
    const bytesOf = await createTokenTable(folder).read();
    const [first] = model.encode('🦊').filter(id => bytesOf(id).length === 1 && bytesOf(id)[0]! > 0x7f);
    expect([...bytesOf(first!)]).toEqual([0xf0]);
  });

  it('are none for a number that is no token', async () => {
    const bytesOf = await createTokenTable(await makeFolder('gpt2')).read();
    expect(bytesOf(99_999)).toHaveLength(0);
  });

  it('are read once, and again after it failed', async () => {
    const folder = await makeFolder('gpt2');
    const path = join(folder, 'tokenizer.json');
    const table = createTokenTable(folder);
    const good = { model: { vocab: { a: 0 } }, decoder: null };
    await writeFile(path, '{');
    await expect(table.read()).rejects.toThrow();
    await writeFile(path, JSON.stringify(good));
    const bytesOf = await table.read();
    await writeFile(path, '{');
    expect(await table.read()).toBe(bytesOf);
  });
});
