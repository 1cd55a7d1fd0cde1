// Learns the tokenizer from the corpus, and writes it and the other small files of the model. The bytes are always the
// same.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeConversation } from '../corpus/index.js';
import { endOfText, toTokenizerFiles, trainBpe, turnEnd } from '../tokenizer/index.js';
import { CONFIG, SEED, TOKENIZER_CONVERSATIONS } from './settings.js';

export async function writeTextFiles(folder: string): Promise<void> {
  const tokenizer = trainBpe(texts(), { vocabulary: CONFIG.vocab_size });
  const idOf = (token: string) => tokenizer.specials.indexOf(token);
  const ids = { bos_token_id: null, eos_token_id: idOf(turnEnd), pad_token_id: idOf(endOfText) };
  const files: Record<string, unknown> = {
    ...toTokenizerFiles(tokenizer),
    'config.json': { ...CONFIG, ...ids },
    'generation_config.json': { ...ids, max_new_tokens: 256, do_sample: false },
  };
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files))
    await writeFile(
      join(folder, name),
      `${JSON.stringify(content, null, name === 'tokenizer.json' ? 0 : 2)}\n`,
    );
}

function* texts(): Generator<string> {
  for (let number = 0; number < TOKENIZER_CONVERSATIONS; number++) {
    for (const { role, content } of makeConversation('train', SEED, number).messages)
      yield `${role}\n${content}`;
  }
}
