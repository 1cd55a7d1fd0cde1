// svc adapters import FOLDER: imports an adapter trained elsewhere as a completed job.
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { CloudClient } from '../../../lib/client/index.js';
import { formatBytes, shortId } from '../../../lib/console/index.js';
import { type AdapterImport, ApiError, findFault, type Job, printable } from '../../../lib/contract/index.js';
import { ADAPTER_FILES } from '../../../lib/engine/index.js';
import { toTarBlob } from '../../../lib/tar/index.js';
import { CommandError, UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { textOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';
import { interruptible } from '../terminal/interruptible.js';

export const run = sessionCommand(async input => {
  const { positionals, values, session, io, svc, answer } = input;
  const folder = resolve(io.cwd, positionals[0]!);
  const name = textOption(input, 'name') ?? basename(folder);
  const fault = findFault(printable(100), name, 'the name');
  if (fault !== null) throw new UsageError(`${fault} Choose one with --name.`);
  const archive = toTarBlob(await openFiles(folder));
  return interruptible(io, async signal => {
    const thinking = textOption(input, 'enable-thinking');
    const request = {
      name,
      sameBaseModel: values['same-base-model'] === true,
      enableThinking: thinking === undefined ? undefined : thinking === 'true',
    };
    const job = await importInto(await session.projectClient(), request, archive, signal);
    answer({ job }, () => {
      const id = shortId(job.id);
      const what = `Imported ${toSafeLine(job.name)} (${id}), ${formatBytes(archive.size)}.`;
      return `${what}\nTo chat with it, run: ${svc} chat --job ${id}\n`;
    });
  });
});

/** The files are streamed, not read into memory. */
async function openFiles(folder: string): Promise<{ name: string; content: Blob }[]> {
  const files: { name: string; content: Blob }[] = [];
  for (const name of ADAPTER_FILES) {
    const path = join(folder, name);
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    if (found instanceof Error || !found.isFile()) throw notThere(folder, name, found);
    files.push({ name, content: await openAsBlob(path) });
  }
  return files;
}

function notThere(folder: string, name: string, found: unknown): CommandError {
  const { code } = found as { code?: string };
  const problem =
    code === undefined
      ? 'is not a file'
      : code === 'ENOENT' || code === 'ENOTDIR'
        ? 'does not exist'
        : `cannot be read (${code})`;
  return new CommandError(
    `${join(folder, name)} ${problem}. An adapter is a folder with ${ADAPTER_FILES.join(' and ')}.`,
  );
}

async function importInto(
  cloud: CloudClient,
  request: AdapterImport,
  archive: Blob,
  signal: AbortSignal,
): Promise<Job> {
  try {
    return (await cloud.importAdapter(request, archive, { signal })).job;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'model_not_supported')) throw error;
    throw new CommandError(`${error.message}\nIf both are the same model, add --same-base-model.`);
  }
}
