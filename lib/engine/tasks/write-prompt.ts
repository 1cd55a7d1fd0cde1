// From a conversation to the tokens of its prompt. Conversations that are clearly too long are detected before the
// template is rendered.
import type { ChatTask } from '../process/messages.js';
import { type ChatMessage, type ModelText, TextError } from '../text/index.js';

export type Conversation = Pick<ChatTask, 'messages' | 'tools'>;

/** `atLeast`: the prompt does not fit; it has at least this many tokens. */
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

/** A lower bound for the prompt's tokens: every turn takes at least one, and every text appears in the prompt. */
export function countAtLeast(text: ModelText, conversation: Conversation): number {
  const { turns, characters } = measure(conversation);
  return Math.max(turns, text.minTokenCount(characters));
}

/** Trimmed, since templates may trim texts. */
export function measure({ messages }: Conversation): { turns: number; characters: number } {
  const lengths = messages.map(({ content }) => (typeof content === 'string' ? content.trim().length : 0));
  return { turns: messages.length, characters: lengths.reduce((sum, length) => sum + length, 0) };
}
