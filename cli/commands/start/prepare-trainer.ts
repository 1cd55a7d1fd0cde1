// The trainer that `svc start` runs: from the existing build, or from a new one if an entry is given or there is no build.
import { relative } from 'node:path';
import { formatRelativeTime, plural } from '../../../lib/console/index.js';
import { buildEntry, findEntry, readBuild, type ServiceTrainer } from '../../../lib/sdk/index.js';
import { loadTrainer } from './load-trainer.js';

const SHOWN = 3;

/** `note` reports which build is used and what has changed since. */
export async function prepareTrainer(
  folder: string,
  entry: string | undefined,
  note: (line: string) => void,
): Promise<ServiceTrainer> {
  const build = entry === undefined ? await readBuild(folder) : null;
  if (!build) return buildTrainer(folder, entry, note);
  const { path, builtAt, changed } = build;
  note(`Using the latest build (${formatRelativeTime(builtAt.toISOString(), new Date())}).`);
  if (changed.length > 0) {
    const named = changed.slice(0, SHOWN).join(', ') + (changed.length > SHOWN ? ', …' : '');
    note(
      `! ${plural(changed.length, 'source')} changed since the last build: ${named}. Run "svc build" to use the changes.`,
    );
  }
  return loadTrainer(path);
}

/** A build that fails to load does not replace a working one. */
async function buildTrainer(
  folder: string,
  entry: string | undefined,
  note: (line: string) => void,
): Promise<ServiceTrainer> {
  const from = await findEntry(folder, entry);
  let trainer: ServiceTrainer | undefined;
  await buildEntry(folder, from, async path => {
    trainer = await loadTrainer(path);
  });
  note(`Built ${relative(folder, from)}.`);
  return trainer!;
}
