// svc build [ENTRY]: bundles the entry into the module that `svc start` runs.
import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { formatBytes, plural } from '../../lib/console/index.js';
import { buildEntry, findEntry } from '../../lib/sdk/index.js';
import { exitCode } from '../exit-code.js';
import { projectCommand } from './project/project-command.js';

export const run = projectCommand(async ({ positionals, io, answer }) => {
  const entry = await findEntry(io.cwd, positionals[0]);
  const { path, sources } = await buildEntry(io.cwd, entry);
  const { size } = await stat(path);
  answer({ entry, path, sources }, () => {
    const [from, to] = [relative(io.cwd, entry), relative(io.cwd, path)];
    return `Built ${to} from ${from}: ${plural(sources.length, 'source')}, ${formatBytes(size)}.\n`;
  });
  return exitCode.ok;
});
