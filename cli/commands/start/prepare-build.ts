// The build that `svc start` runs: the one that is there, or a new one when an entry is named or there is none.
import { relative } from 'node:path';
import { formatRelativeTime, plural } from '../../../lib/console/index.js';
import { buildEntry, findEntry, readBuild } from '../../../lib/sdk/index.js';

const SHOWN = 3;

/** Its path. `note` is told which it is, and what has changed since. */
export async function prepareBuild(
  folder: string,
  entry: string | undefined,
  note: (line: string) => void,
): Promise<string> {
  const build = entry === undefined ? await readBuild(folder) : null;
  if (!build) {
    const from = await findEntry(folder, entry);
    const { path } = await buildEntry(folder, from);
    note(`Built ${relative(folder, from)}.`);
    return path;
  }
  const { path, builtAt, changed } = build;
  note(`Using the build of ${formatRelativeTime(builtAt.toISOString(), new Date())}.`);
  if (changed.length > 0) {
    const named = changed.slice(0, SHOWN).join(', ') + (changed.length > SHOWN ? ', …' : '');
    const verb = changed.length === 1 ? 'is' : 'are';
    note(
      `! ${plural(changed.length, 'source')} ${verb} newer: ${named}. Run "svc build" to use what they say now.`,
    );
  }
  return path;
}
