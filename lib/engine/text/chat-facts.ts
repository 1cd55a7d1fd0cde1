// What a model's files say of chats, read without its tokenizer.
import type { ServedModelFacts } from '../../contract/index.js';
import { hasChatTemplate } from './chat-template.js';
import { type JsonFile, readChatFiles } from './text-files.js';

export type ChatFacts = Pick<ServedModelFacts, 'hasChatTemplate' | 'sampling'>;

/** Of a folder. Throws a `TextError`. */
export async function readChatFacts(folder: string): Promise<ChatFacts> {
  const files = await readChatFiles(folder);
  return { hasChatTemplate: hasChatTemplate(files), sampling: readSampling(files.generation?.content) };
}

/** From generation_config.json. `do_sample: false` means greedy decoding. Values out of range are ignored. */
export function readSampling(settings: JsonFile['content'] = {}): ChatFacts['sampling'] {
  const { do_sample: isSampled, temperature, top_p: topP, top_k: topK } = settings;
  if (isSampled === false) return { temperature: 0 };
  return {
    ...(isWithin(temperature, 2) && { temperature }),
    ...(isWithin(topP, 1) && { topP }),
    ...(isWithin(topK, Number.MAX_SAFE_INTEGER) && Number.isInteger(topK) && topK > 0 && { topK }),
  };
}

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= most;
