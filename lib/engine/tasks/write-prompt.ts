// From a conversation, or a plain text, to the tokens of its prompt. What is clearly too long is detected before the
// template is rendered.
import type { ChatTask } from '../process/messages.js';
import { type ChatMessage, type ModelText, TextError } from '../text/index.js';

interface Conversation extends Pick<ChatTask, 'messages'> {
  tools?: readonly unknown[];
}

interface PlainText {
  text: string;
  /** Defaults to true. */
  addSpecialTokens?: boolean;
  /** Also a text that does not fit into the context. */
  anyLength?: true;
}

export type PromptSource = Conversation | PlainText;

/** `atLeast`: the prompt does not fit; it has at least this many tokens. */
export type WrittenPrompt =
  | { ids: number[] }
  | { atLeast: number }
  /** The template refuses the conversation. */
  | { refusal: string };

/** In pieces that take a moment each, except the template. A prompt that does not fit is not written to its end. */
export function* writePrompt(
  text: ModelText,
  source: PromptSource,
  context: number,
): Generator<void, WrittenPrompt> {
  const longest = longestOf(source, context);
  const least = countAtLeast(text, source);
  if (least > longest) return { atLeast: least };
  try {
    const { prompt, ...options } = render(text, source);
    const encoding = text.encodeInPieces(prompt, options);
    for (let piece = encoding.next(); ; piece = encoding.next()) {
      if (piece.done) return { ids: piece.value };
      if (piece.value > longest) return { atLeast: piece.value };
      yield;
    }
  } catch (error) {
    if (error instanceof TextError) return { refusal: error.message };
    throw error;
  }
}

function render(text: ModelText, source: PromptSource): { prompt: string; addSpecialTokens: boolean } {
  if ('text' in source) return { prompt: source.text, addSpecialTokens: source.addSpecialTokens ?? true };
  const { messages, tools } = source;
  const options = { addGenerationPrompt: true, ...(tools && { tools }) };
  return {
    prompt: text.renderChat(messages as readonly ChatMessage[], options),
    addSpecialTokens: false,
  };
}

export function longestOf(source: PromptSource, context: number): number {
  return 'text' in source && source.anyLength ? Number.POSITIVE_INFINITY : context;
}

/** A lower bound for the prompt's tokens: every turn takes at least one, and every text appears in the prompt. */
export function countAtLeast(text: ModelText, source: PromptSource): number {
  const { turns, characters } = measure(source);
  return Math.max(turns, text.minTokenCount(characters));
}

/** Trimmed, since templates may trim texts. */
export function measure(source: PromptSource): { turns: number; characters: number } {
  if ('text' in source) return { turns: 0, characters: source.text.length };
  const { messages } = source;
  const lengths = messages.map(({ content }) => (typeof content === 'string' ? content.trim().length : 0));
  return { turns: messages.length, characters: lengths.reduce((sum, length) => sum + length, 0) };
}
