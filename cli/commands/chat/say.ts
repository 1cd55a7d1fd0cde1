// Streams one answer to the output and resolves with its text, which the conversation remembers.
import type { ChatMessage } from '../../../lib/contract/index.js';
import type { Output } from '../../command.js';
import { print } from '../../print.js';
import { toSafeText } from '../../style.js';
import type { Speaker } from './speaker.js';

/** An aborted signal ends the answer; it is not an error. */
export async function say(
  speaker: Speaker,
  messages: readonly ChatMessage[],
  output: Output,
  signal?: AbortSignal,
): Promise<string> {
  let said = '';
  try {
    for await (const { choices } of speaker.stream(messages, signal)) {
      const piece = choices[0]?.delta.content ?? '';
      said += piece;
      if (piece) print(output, toSafeText(piece));
    }
  } catch (error) {
    if (said) print(output, '\n');
    if (signal?.aborted) return said;
    throw error;
  }
  print(output, '\n');
  return said;
}
