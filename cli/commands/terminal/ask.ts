// One question to whoever sits at the terminal.
import { createInterface } from 'node:readline';
import type { Io } from '../../command.js';
import { toWritable } from './to-writable.js';

export type Answer = 'yes' | 'no' | 'interrupted';

/** Anything but a yes is a no; Ctrl-C at the question is neither. When the signal is aborted, it is a no. */
export function askYesNo(question: string, { stdin, stdout }: Io, signal: AbortSignal): Promise<Answer> {
  return new Promise(resolve => {
    const reader = createInterface({ input: stdin!, output: toWritable(stdout), terminal: true });
    let answer: Answer = 'no';
    const end = (given: Answer) => {
      answer = given;
      reader.close();
    };
    const onAbort = () => end('no');
    signal.addEventListener('abort', onAbort, { once: true });
    reader.once('SIGINT', () => end('interrupted'));
    reader.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      resolve(answer);
    });
    reader.question(question, text => end(/^y(es)?$/i.test(text.trim()) ? 'yes' : 'no'));
  });
}
