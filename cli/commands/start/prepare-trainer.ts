// What `svc start` runs: the trainer of the build that is there, or of a new one when an entry is named or there is none.
import { relative } from 'node:path';
import { formatRelativeTime, plural } from '../../../lib/console/index.js';
import { buildEntry, findEntry, readBuild, type Trainer } from '../../../lib/sdk/index.js';
import { loadTrainer } from './load-trainer.js';

const SHOWN = 3;

/** `note` is told which build it is, and what has changed since. */
export async function prepareTrainer(
  folder: string,
  entry: string | undefined,
  note: (line: string) => void,
): Promise<Trainer> {
  const build = entry === undefined ? await readBuild(folder) : null;
  if (!build) return buildTrainer(folder, entry, note);
  const { path, builtAt, changed } = build;
  note(`Using the build of ${formatRelativeTime(builtAt.toISOString(), new Date())}.`);
  if (changed.length > 0) {
    const named = changed.slice(0, SHOWN).join(', ') + (changed.length > SHOWN ? ', …' : '');
    const verb = changed.length === 1 ? 'is' : 'are';
    note(
      `! ${plural(changed.length, 'source')} ${verb} newer: ${named}. Run "svc build" to use what they say now.`,
    );
  }
  return loadTrainer(path);
}

/** A build that cannot be run does not take the place of one that can. */
async function buildTrainer(
  folder: string,
  entry: string | undefined,
  note: (line: string) => void,
): Promise<Trainer> {
  const from = await findEntry(folder, entry);
  let trainer: Trainer | undefined;
  await buildEntry(folder, from, async path => {
    trainer = await loadTrainer(path);
  });
  note(`Built ${relative(folder, from)}.`);
  return trainer!;
}
