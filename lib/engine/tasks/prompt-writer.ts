// Writes the prompts of chats without delaying answers in progress: short ones between two steps of the engine, long ones
// in a thread.
import { setImmediate } from 'node:timers/promises';
import { untilAborted } from '../../system/index.js';
import { EngineError } from '../engine-error.js';
import { promptTooLong } from '../generate/index.js';
import { type ModelText, TextError } from '../text/index.js';
import { createPromptThread } from './prompt-thread.js';
import type { PromptAnswer } from './serve-prompts.js';
import { countAtLeast, longestOf, measure, type PromptSource, writePrompt } from './write-prompt.js';

export interface PromptWriter {
  /** The prompt's tokens. Aborting rejects at once and gives up the caller's turn. */
  write(source: PromptSource, signal: AbortSignal): Promise<number[]>;
  close(): Promise<void>;
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
  let last: Promise<unknown> = Promise.resolve();

  /** One at a time, with a turn of the event loop in between. */
  function writeHere(source: PromptSource, signal: AbortSignal): Promise<PromptAnswer> {
    const written = last.then(async () => {
      await setImmediate();
      signal.throwIfAborted();
      return writePrompt(text, source, context);
    });
    last = written.catch(() => {});
    return written;
  }

  return {
    async write(source, signal) {
      signal.throwIfAborted();
      const atLeast = countAtLeast(text, source);
      if (atLeast > longestOf(source, context)) throw promptTooLong(`at least ${atLeast}`, context);
      const write = isShort(source) ? writeHere : thread.write;
      const answer = await untilAborted(write(source, signal), signal);
      return readAnswer(answer, context);
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
