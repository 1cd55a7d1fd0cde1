// Runs in the thread that writes long prompts: a piece of a prompt for each request.
import { parentPort, workerData } from 'node:worker_threads';
import { openText } from '../text/index.js';
import { type PromptSource, type WrittenPrompt, writePrompt } from './write-prompt.js';

export interface PromptThreadData {
  modelFolder: string;
  context: number;
}

export interface PromptRequest {
  id: number;
  /** With its first request. */
  source?: PromptSource;
  /** Nobody waits for the rest, if there is one. */
  isLeft?: true;
}

export type PromptAnswer = WrittenPrompt | { error: string };

/** So long a piece lets the others wait. */
const PIECE_MS = 20;

export function servePrompts(): void {
  const { modelFolder, context } = workerData as PromptThreadData;
  const opening = openText(modelFolder);
  const open = new Map<number, Generator<void, WrittenPrompt>>();

  async function proceed({ id, source }: PromptRequest): Promise<PromptAnswer | { isPaused: true }> {
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
