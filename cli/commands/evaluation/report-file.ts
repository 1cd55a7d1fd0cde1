// The file that `--out` names: the report of an evaluation, for `svc eval` and `svc evals show`.
import { mkdir, open, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { EVALUATION_TITLE, evaluationReport } from '../../../lib/console/index.js';
import type { Evaluation, EvaluationRow } from '../../../lib/contract/index.js';
import { CommandError, type Context } from '../../command.js';
import { textOption } from '../project/option-values.js';

const FIRST_LINE = `${EVALUATION_TITLE}\n`;

export interface ReportFile {
  save(evaluation: Evaluation, rows: readonly EvaluationRow[]): Promise<void>;
}

/**
 * Null without the option. An earlier report is replaced, and nothing else: whoever waits for answers should know before
 * that their file cannot be written.
 */
export async function openReportFile({
  values,
  io,
  note,
}: Pick<Context, 'values' | 'io' | 'note'>): Promise<ReportFile | null> {
  const name = textOption({ values }, 'out');
  if (name === undefined) return null;
  const path = resolve(io.cwd, name);
  const cannot = (error: unknown) => {
    throw new CommandError(`Cannot write ${name} (${(error as NodeJS.ErrnoException).code}).`);
  };
  const start = await readStart(path).catch(cannot);
  if (start !== '' && start !== FIRST_LINE)
    throw new CommandError(`${name} is there, and is not the report of an evaluation. Choose another file.`);
  await mkdir(dirname(path), { recursive: true }).catch(cannot);
  return {
    async save(evaluation, rows) {
      await writeFile(path, evaluationReport(evaluation, rows)).catch(cannot);
      note(`Wrote ${name}.`);
    },
  };
}

/** As long as a report's first line; empty without a file, and for what is none, such as a terminal. */
async function readStart(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!found?.isFile()) return '';
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(FIRST_LINE.length) });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
