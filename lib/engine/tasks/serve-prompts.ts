// Writes prompts in pieces, and serves long ones from a thread of their own: a piece for each request.
import { parentPort, workerData } from 'node:worker_threads';
import type { ChatTask } from '../process/messages.js';
import { type ChatMessage, type ModelText, openText, TextError } from '../text/index.js';

export interface PromptThreadData {
  modelFolder: string;
  context: number;
}

export interface PromptRequest {
  id: number;
  /** Sent with the first request. */
  source?: PromptSource;
  /** Abandons the rest of the prompt, if any. */
  isLeft?: true;
}

export type PromptReply = WrittenPrompt | { error: string };

/** The duration of a piece, and so how long others wait. */
const PIECE_MS = 20;

export function servePrompts(): void {
  const { modelFolder, context } = workerData as PromptThreadData;
  const opening = openText(modelFolder);
  const open = new Map<number, Generator<void, WrittenPrompt>>();

  async function proceed({ id, source }: PromptRequest): Promise<PromptReply | { isPaused: true }> {
    try {
      if (source) open.set(id, writePrompt(await opening, source, context));
      const end = performance.now() + PIECE_MS;
      for (;;) {
        const { done, value } = open.get(id)!.next();
        if (done) return value;
        if (performance.now() > end) return { isPaused: true };
      }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  parentPort!.on('message', async (request: PromptRequest) => {
    if (request.isLeft) open.delete(request.id);
    else parentPort!.postMessage(await proceed(request));
  });
}

interface Conversation extends Pick<ChatTask, 'messages' | 'variables'> {
  tools?: readonly unknown[] | undefined;
}

interface PlainText {
  text: string;
  /** Defaults to true. */
  addSpecialTokens?: boolean;
}

export type PromptSource = (Conversation | PlainText) & {
  /** Even if it does not fit into the context. */
  anyLength?: true;
};

/** `atLeast`: the prompt does not fit; it has at least this many tokens. */
export type WrittenPrompt =
  | { ids: number[] }
  | { atLeast: number }
  /** The template rejected the conversation. */
  | { refusal: string };

/**
 * From a conversation, or a plain text, to the tokens of its prompt. What is clearly too long is detected before the
 * template is rendered. In pieces that take a moment each, except the template. A prompt that does not fit is not
 * written to its end.
 */
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
  const { messages, tools, variables } = source;
  const options = { addGenerationPrompt: true, variables, ...(tools && { tools }) };
  return {
    prompt: text.renderChat(messages as readonly ChatMessage[], options),
    addSpecialTokens: false,
  };
}

export function longestOf(source: PromptSource, context: number): number {
  return source.anyLength ? Number.POSITIVE_INFINITY : context;
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
