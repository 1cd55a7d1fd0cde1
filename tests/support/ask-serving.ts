// The likeliest answer of a model that is served, whole.
import type { ServingProcess } from '../../lib/engine/index.js';
import type { ChatTask } from '../../lib/engine/process/messages.js';

export interface Asked {
  messages: ChatTask['messages'];
  maxTokens: number;
  /** None unless given. */
  adapterFolder?: string | null;
}

export async function askServing(
  serving: ServingProcess,
  { messages, maxTokens, adapterFolder = null }: Asked,
): Promise<{ text: string; finishReason: string | undefined }> {
  let text = '';
  let finishReason: string | undefined;
  for await (const piece of serving.ask('chat', { messages, adapterFolder, temperature: 0, maxTokens })) {
    text += piece.text;
    finishReason = piece.finishReason;
  }
  return { text, finishReason };
}
