// svc build [ENTRY]: bundles the entry into the module that `svc start` runs. If `svc start` would reject the
// result, the build fails and the previous one stays.
import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { formatBytes, plural } from '../../lib/console/index.js';
import { buildEntry, findEntry, inspectBuild } from '../../lib/sdk/index.js';
import { sessionCommand } from './project/session-command.js';
import { requireTrainer } from './start/prepare.js';
import { interruptible } from './terminal/interruptible.js';

/** How long the entry may take to load; it may fetch something first. */
const LOAD_LIMIT_MS = 60_000;

export const run = sessionCommand(async ({ positionals, io, answer }) => {
  const entry = await findEntry(io.cwd, positionals[0]);
  // The process that inspects the build has its own process group, which signals from the terminal do not reach.
  return interruptible(io, async signal => {
    const { path, sources } = await buildEntry(io.cwd, entry, async candidate => {
      const limits = { limitMs: LOAD_LIMIT_MS, signal };
      requireTrainer(await inspectBuild(candidate, { folder: io.cwd, env: io.env, ...limits }));
    });
    const { size } = await stat(path);
    answer({ entry, path, sources }, () => {
      const [from, to] = [relative(io.cwd, entry), relative(io.cwd, path)];
      return `Built ${to} from ${from}: ${plural(sources.length, 'source')}, ${formatBytes(size)}.\n`;
    });
  });
});
