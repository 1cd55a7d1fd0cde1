// Writes the prompts of chats without delaying answers in progress: short ones between two steps of the engine, long ones
// in a thread. Callers take turns in both, and prompts take turns with texts that are only tokenized.
import { untilAborted } from '../../system/index.js';
import { EngineError } from '../engine-error.js';
import { promptTooLong } from '../generate/index.js';
import { type ModelText, TextError } from '../text/index.js';
import { createPromptThread } from './prompt-thread.js';
import type { PromptAnswer } from './serve-prompts.js';
import { createWorkLine } from './work-line.js';
import { countAtLeast, longestOf, measure, type PromptSource, writePrompt } from './write-prompt.js';

export interface PromptWriter {
  /** The prompt's tokens. Aborting rejects at once and gives up the caller's turn. */
  write(source: PromptSource, asked: Asked): Promise<number[]>;
  /** The text of tokens, in turns with short prompts. */
  decode(ids: readonly number[], asked: Asked): Promise<string>;
  close(): Promise<void>;
}

interface Asked {
  caller: string | undefined;
  signal: AbortSignal;
}

interface PromptWriterOptions {
  modelFolder: string;
  text: ModelText;
  context: number;
  /** Prompts that take longer than this to write are refused; 20 s by default. */
  limitMs?: number | undefined;
}

/** Takes a few milliseconds at most. */
const SHORT = { turns: 32, characters: 4000 };

export function createPromptWriter({ modelFolder, text, context, limitMs = 20_000 }: PromptWriterOptions) {
  const thread = createPromptThread({ modelFolder, context }, limitMs);
  const lines = { here: createWorkLine(), thread: createWorkLine() };

  return {
    async write(source, { caller = '', signal }) {
      signal.throwIfAborted();
      const atLeast = countAtLeast(text, source);
      if (atLeast > longestOf(source, context)) throw promptTooLong(`at least ${atLeast}`, context);
      const kind = 'text' in source && source.anyLength ? 'text' : 'prompt';
      const place = { kind, caller, signal };
      const written = isShort(source)
        ? lines.here.add<PromptAnswer>(writePrompt(text, source, context), place)
        : lines.thread.add(thread.write(source), place);
      return readAnswer(await untilAborted(written, signal), context);
    },
    async decode(ids, { caller = '', signal }) {
      signal.throwIfAborted();
      const written = lines.here.add(text.decodeInPieces(ids), { kind: 'text', caller, signal });
      return untilAborted(written, signal);
    },
    close: () => thread.close(),
  } satisfies PromptWriter;
}

function isShort(source: PromptSource): boolean {
  const { turns, characters } = measure(source);
  if (turns > SHORT.turns || characters > SHORT.characters) return false;
  return JSON.stringify(source).length <= 2 * SHORT.characters;
}

function readAnswer(answer: PromptAnswer, context: number): number[] {
  if ('ids' in answer) return answer.ids;
  if ('atLeast' in answer) throw promptTooLong(`at least ${answer.atLeast}`, context);
  if ('refusal' in answer) throw new TextError(answer.refusal);
  throw new EngineError('engine_unavailable', answer.error);
}
