// Runs in the thread that writes long prompts, one conversation after another.
import { parentPort, workerData } from 'node:worker_threads';
import { openText } from '../text/index.js';
import { type PromptSource, type WrittenPrompt, writePrompt } from './write-prompt.js';

export interface PromptThreadData {
  modelFolder: string;
  context: number;
}

export type PromptAnswer = WrittenPrompt | { error: string };

export function servePrompts(): void {
  const { modelFolder, context } = workerData as PromptThreadData;
  const opening = openText(modelFolder);
  parentPort!.on('message', async (source: PromptSource) => {
    let answer: PromptAnswer;
    try {
      answer = writePrompt(await opening, source, context);
    } catch (error) {
      answer = { error: error instanceof Error ? error.message : String(error) };
    }
    parentPort!.postMessage(answer);
  });
}
