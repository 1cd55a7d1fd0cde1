// The base model's files in Hugging Face's transformers, if this machine has a Python with it.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import { startServing } from '../../../lib/engine/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { openText } from '../../../lib/engine/text/index.js';
import { askServing } from '../../support/ask-serving.js';
import { findPython } from '../../support/python.js';
import { logitsOf } from './logits-of.js';

const CONVERSATIONS = [
  [{ role: 'user', content: 'Hello!' }],
  [
    { role: 'system', content: 'You answer briefly.' },
    { role: 'user', content: 'My order 4821 has not arrived. What can I do?' },
  ],
  [
    { role: 'user', content: 'What are you?' },
    { role: 'assistant', content: 'I am a tiny language model.' },
    { role: 'user', content: 'Sort these words from A to Z: zebra, café, Ångström' },
  ],
];

interface Theirs {
  ids: number[];
  /** After each token. */
  logits: number[][];
  answer: string;
}

const folder = baseModelFolder();
const python = await findPython('torch', 'transformers');

describe.skipIf(python === null)('the base model in transformers (if this machine has it)', async () => {
  const theirs = python === null ? [] : await askTransformers(python);

  it('has the same tokens', async () => {
    const { encode, renderChat } = await openText(folder);
    const ours = CONVERSATIONS.map(messages => encode(renderChat(messages, { addGenerationPrompt: true })));
    expect(ours).toEqual(theirs.map(({ ids }) => ids));
  });

  it('has the same logits', async () => {
    const model = await openModel(folder);
    for (const { ids, logits } of theirs) {
      const ours = await logitsOf(model, ids);
      const worst = logits.flat().reduce((most, value, i) => Math.max(most, Math.abs(value - ours[i]!)), 0);
      expect(worst).toBeLessThan(2e-4);
    }
  });

  it('gives the same answers, and ends them itself', async () => {
    const serving = startServing({ modelFolder: folder });
    onTestFinished(() => serving.close());
    for (const [i, messages] of CONVERSATIONS.entries()) {
      const { text } = await askServing(serving, { messages, maxTokens: 60 });
      expect(text).toBe(theirs[i]!.answer);
    }
  });
});

async function askTransformers(program: string): Promise<Theirs[]> {
  const script = fileURLToPath(new URL('ask-transformers.py', import.meta.url));
  const args = [script, folder, JSON.stringify(CONVERSATIONS)];
  const env = { ...process.env, HF_HUB_OFFLINE: '1' };
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 1e8, env });
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}
