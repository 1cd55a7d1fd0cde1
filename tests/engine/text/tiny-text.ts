// What a tiny model's folder says of text, and the learned parts of what is encoded with it.
import type { EncodedText } from '../../../lib/engine/text/encode-chat.js';
import { type ModelText, openText } from '../../../lib/engine/text/index.js';
import { createRandom } from '../../support/random.js';
import { makeTextFolder, removeFolder, type TinyOptions } from '../../support/tiny-tokenizer.js';

/** Draws whole numbers below a limit. */
export function createDraw(seed: number): (limit: number) => number {
  const { next } = createRandom(seed);
  return limit => Math.floor(next() * limit);
}

export async function openTiny(options: TinyOptions = {}): Promise<ModelText> {
  const folder = await makeTextFolder(options);
  try {
    return await openText(folder);
  } finally {
    await removeFolder(folder);
  }
}

/** Without a chat template. */
export const openPlain = (options: TinyOptions = {}) =>
  openTiny({ ...options, config: { chat_template: undefined } });

export const user = (content: string) => ({ role: 'user', content });
export const assistant = (content: string) => ({ role: 'assistant', content });

/** The text of an example, with the learned parts in brackets. */
export function showLearned(text: ModelText, { ids, supervised }: EncodedText, from = 0, to = ids.length) {
  let shown = '';
  for (let i = from; i < to; i++) {
    if (supervised[i] && (i === from || !supervised[i - 1])) shown += '[';
    shown += text.decode([ids[i]!]);
    if (supervised[i] && (i + 1 === to || !supervised[i + 1])) shown += ']';
  }
  return shown;
}

export function learnedParts(text: ModelText, { ids, supervised }: EncodedText): string[] {
  const parts: number[][] = [];
  supervised.forEach((isLearned, i) => {
    if (isLearned && !supervised[i - 1]) parts.push([]);
    if (isLearned) parts.at(-1)!.push(ids[i]!);
  });
  return parts.map(part => text.decode(part));
}
