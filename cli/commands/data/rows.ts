// svc data rows --out FILE: writes the rows of the trainer's data set, also those that it makes or that a teacher answered.
import { plural } from '../../../lib/console/index.js';
import { withTrainerRows } from '../../../lib/sdk/index.js';
import { exitCode, UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { writeNewRows } from '../files/row-files.js';
import { textOption } from '../project/option-values.js';
import { projectCommand } from '../project/session-command.js';
import { createDistilReporter, createDistilStop } from '../start/distil.js';
import { prepareTrainer } from '../start/prepare.js';

export const run = projectCommand(async ({ io, session, answer, note, ...input }) => {
  const out = textOption(input, 'out');
  if (out === undefined) throw new UsageError('missing option "--out": a new file for the rows.');
  const stop = createDistilStop(io, note);
  try {
    const { options } = await prepareTrainer(io, undefined, note);
    const watch = { ...stop.watch(createDistilReporter(note)), mayAsk: input.values['no-ask'] !== true };
    const rows = await withTrainerRows(options, session, watch, lines => writeNewRows(io.cwd, out, lines));
    answer({ file: out, rows }, () => `Wrote ${plural(rows, 'row')} to ${toSafeLine(out)}.\n`);
    return exitCode.ok;
  } catch (error) {
    const text = stop.text();
    if (text === null) throw error;
    note(text);
    return exitCode.interrupted;
  } finally {
    stop.ignore();
  }
});
