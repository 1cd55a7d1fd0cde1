// `--save FILE`: keeps each answer as a row that a trainer can read.
import { resolve } from 'node:path';
import { chatRow, type Exchange } from '../../../lib/console/index.js';
import { CommandError } from '../../command-error.js';
import { textOption } from '../project/option-values.js';
import type { SessionContext } from '../project/session-command.js';
import { appendRows } from './append-rows.js';

/** With what was said before. An empty answer is not kept. */
export type KeepRow = (before: readonly Exchange[], exchange: Exchange) => Promise<void>;

export function openRows(context: SessionContext): KeepRow {
  const typed = textOption(context, 'save');
  if (typed === undefined) return async () => {};
  const file = resolve(context.io.cwd, typed);
  return async (before, exchange) => {
    if (exchange.reply === '') return;
    try {
      await appendRows(file, chatRow(before, exchange));
    } catch (error) {
      throw new CommandError(`cannot save to ${typed}: ${(error as Error).message}`);
    }
  };
}
