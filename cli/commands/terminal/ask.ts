// Questions at the terminal.
import { createInterface } from 'node:readline';
import { CommandError, type Input, type Io } from '../../command.js';
import { canAsk, SHELL_VARIABLE, toWritable } from '../../screen.js';
import { toSafeLine } from '../../style.js';

/**
 * Asks before deleting something, and throws unless the user agrees. Without an interactive terminal, as in a
 * script, proceeds without asking, but not in the dashboard, where a person typed the command.
 */
export async function agree(
  question: string,
  { values, json }: Pick<Input, 'values' | 'json'>,
  io: Io,
  declined = 'Nothing was deleted.',
): Promise<void> {
  if (values.yes || json) return;
  if (!canAsk(io)) {
    if (!io.env[SHELL_VARIABLE]) return;
    throw new CommandError(
      `${toSafeLine(question)} To agree, add "--yes": no question can be answered here.`,
    );
  }
  const answer = await askYesNo(`${toSafeLine(question)} [y/N] `, io, new AbortController().signal);
  if (answer !== 'yes') throw new CommandError(declined);
}

export type Reply = 'yes' | 'no' | 'interrupted';

/**
 * Anything but yes means no; Ctrl-C is reported separately. An aborted signal means no. Later output starts
 * on a new line.
 */
export function askYesNo(question: string, { stdin, stdout }: Io, signal: AbortSignal): Promise<Reply> {
  return new Promise(resolve => {
    const reader = createInterface({ input: stdin!, output: toWritable(stdout), terminal: true });
    let answer: Reply = 'no';
    let isTyped = false;
    const end = (given: Reply) => {
      answer = given;
      reader.close();
    };
    const onAbort = () => end('no');
    signal.addEventListener('abort', onAbort, { once: true });
    reader.once('SIGINT', () => end('interrupted'));
    reader.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      // Without Enter, the cursor is still on the question's line.
      if (!isTyped) stdout.write('\n');
      resolve(answer);
    });
    reader.question(question, text => {
      isTyped = true;
      end(/^y(es)?$/i.test(text.trim()) ? 'yes' : 'no');
    });
  });
}
