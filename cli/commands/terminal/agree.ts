// Asks before something is gone for good. Where nobody can answer, as in a script, the command itself is the
// answer.

import type { Input, Io } from '../../command.js';
import { CommandError } from '../../command-error.js';
import { toSafeLine } from '../../style.js';
import { askYesNo } from './ask.js';
import { canAsk } from './screen.js';

/** Throws unless the user agrees. */
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
