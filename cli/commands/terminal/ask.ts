// Asks the user a question at the terminal. Later output starts on a new line.
import { createInterface } from 'node:readline';
import type { Io } from '../../command.js';
import { toWritable } from './to-writable.js';

export type Answer = 'yes' | 'no' | 'interrupted';

/** Anything but a yes is a no; Ctrl-C is neither. An aborted signal means no. */
export function askYesNo(question: string, { stdin, stdout }: Io, signal: AbortSignal): Promise<Answer> {
  return new Promise(resolve => {
    const reader = createInterface({ input: stdin!, output: toWritable(stdout), terminal: true });
    let answer: Answer = 'no';
    let isTyped = false;
    const end = (given: Answer) => {
      answer = given;
      reader.close();
    };
    const onAbort = () => end('no');
    signal.addEventListener('abort', onAbort, { once: true });
    reader.once('SIGINT', () => end('interrupted'));
    reader.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      // Without Enter, the cursor is still on the line of the question.
      if (!isTyped) stdout.write('\n');
      resolve(answer);
    });
    reader.question(question, text => {
      isTyped = true;
      end(/^y(es)?$/i.test(text.trim()) ? 'yes' : 'no');
    });
  });
}
