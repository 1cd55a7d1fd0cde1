// svc data rows --out FILE: writes the rows of the trainer's data set, also those that it makes or that a teacher answered.
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { plural } from '../../../lib/console/index.js';
import { withTrainerRows } from '../../../lib/sdk/index.js';
import { CommandError, exitCode, UsageError } from '../../command.js';
import { printAnswer, printLine } from '../../print.js';
import { toSafeLine } from '../../style.js';
import { textOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';
import { createDistilReporter, createDistilStop } from '../start/distil.js';
import { prepareTrainer } from '../start/prepare.js';
import { keepOutputs, silenceProject } from '../start/route-outputs.js';

export const run = sessionCommand(async ({ io: shared, session, ...input }) => {
  const out = textOption(input, 'out');
  if (out === undefined) throw new UsageError('missing option "--out": a new file for the rows.');
  const io = keepOutputs(shared);
  const giveBack = silenceProject(shared, io);
  const note = (line: string) => printLine(io.stderr, line, io.env);
  const stop = createDistilStop(io, note);
  try {
    const { options } = await prepareTrainer(io.cwd, undefined, note);
    const watch = { ...stop.watch(createDistilReporter(note)), mayAsk: input.values['no-ask'] !== true };
    const rows = await withTrainerRows(options, session, watch, lines =>
      writeNew(lines, resolve(io.cwd, out), out),
    );
    printAnswer(
      io,
      input,
      { file: out, rows },
      () => `Wrote ${plural(rows, 'row')} to ${toSafeLine(out)}.\n`,
    );
    return exitCode.ok;
  } catch (error) {
    const text = stop.text();
    if (text === null) throw error;
    note(text);
    return exitCode.interrupted;
  } finally {
    stop.ignore();
    giveBack();
  }
});

const LINE_BREAK = 10;

/** Returns how many rows there are. What was written in part is removed. */
async function writeNew(lines: Blob, path: string, name: string): Promise<number> {
  let rows = 0;
  let isOwn = false;
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  file.once('open', () => {
    isOwn = true;
  });
  try {
    await pipeline(
      lines.stream(),
      async function* count(chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          for (const byte of chunk) if (byte === LINE_BREAK) rows++;
          yield chunk;
        }
      },
      file,
    );
    return rows;
  } catch (error) {
    if (isOwn) await rm(path, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CommandError(`${toSafeLine(name)} exists already. Choose another file with "--out FILE".`);
    throw new CommandError(`Could not write ${toSafeLine(name)}: ${message}.`);
  }
}
