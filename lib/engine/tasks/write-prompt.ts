// From a conversation to the tokens of its prompt. What no context can hold is told before the template is rendered.
import type { ChatTask } from '../process/messages.js';
import { type ChatMessage, type ModelText, TextError } from '../text/index.js';

export type Conversation = Pick<ChatTask, 'messages' | 'tools'>;

/** `atLeast`: how many tokens it has at least, which is more than fit. */
export type WrittenPrompt =
  | { ids: number[] }
  | { atLeast: number }
  /** The template refuses the conversation. */
  | { refusal: string };

export function writePrompt(text: ModelText, conversation: Conversation, context: number): WrittenPrompt {
  const atLeast = countAtLeast(text, conversation);
  if (atLeast > context) return { atLeast };
  try {
    const { messages, tools } = conversation;
    const options = { addGenerationPrompt: true, ...(tools && { tools }) };
    const prompt = text.renderChat(messages as readonly ChatMessage[], options);
    const least = text.minTokenCount(prompt.length);
    return least > context ? { atLeast: least } : { ids: text.encode(prompt) };
  } catch (error) {
    if (error instanceof TextError) return { refusal: error.message };
    throw error;
  }
}

/** No prompt of the conversation has fewer tokens: every turn takes one or more, and every text is written. */
export function countAtLeast(text: ModelText, conversation: Conversation): number {
  const { turns, characters } = measure(conversation);
  return Math.max(turns, text.minTokenCount(characters));
}

/** Templates may trim a text, but write what is left of it. */
export function measure({ messages }: Conversation): { turns: number; characters: number } {
  const lengths = messages.map(({ content }) => (typeof content === 'string' ? content.trim().length : 0));
  return { turns: messages.length, characters: lengths.reduce((sum, length) => sum + length, 0) };
}
