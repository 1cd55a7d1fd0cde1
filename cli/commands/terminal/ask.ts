// Questions at the terminal.
import { createInterface } from 'node:readline';
import { CommandError, type Input, type Io } from '../../command.js';
import { canAsk, toWritable } from '../../screen.js';
import { toSafeLine } from '../../style.js';

/**
 * Asks before something is gone for good, and throws unless the user agrees. Where nobody can answer, as in a script,
 * the command itself is the answer.
 */
export async function agree(
  question: string,
  { values, json }: Pick<Input, 'values' | 'json'>,
  io: Io,
  declined = 'Nothing was deleted.',
): Promise<void> {
  if (values.yes || json || !canAsk(io)) return;
  const answer = await askYesNo(`${toSafeLine(question)} [y/N] `, io, new AbortController().signal);
  if (answer !== 'yes') throw new CommandError(declined);
}

export type Answer = 'yes' | 'no' | 'interrupted';

/** Anything but a yes is a no; Ctrl-C is neither. An aborted signal means no. Later output starts on a new line. */
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
