// svc models rm NAME: deletes a base model that svc downloaded, or what it read of a GGUF file. What belongs to other
// programs, it leaves to their own commands.
import { lstat, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { countJobsTrainedOn } from '../../../lib/cloud/index.js';
import { formatBytes, plural } from '../../../lib/console/index.js';
import { withFileLock } from '../../../lib/sdk/local-cloud/index.js';
import { isThere } from '../../../lib/system/index.js';
import { CommandError, type CommandModule, type Context } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { findRunning } from '../cloud/find-running.js';
import { findFolder } from '../cloud/local-cloud.js';
import { lockOf } from '../cloud/model-places.js';
import { agree } from '../terminal/ask.js';
import { describeFound, digestOf } from './describe-found.js';
import { type FoundModel, findModel } from './find-models.js';

export const run: CommandModule['run'] = async context => {
  const { io, positionals, answer } = context;
  const folder = findFolder(context);
  const model = await findModel(positionals[0]!, folder, io, hasPaths);
  const paths = pathsOf(model);
  const advice = adviceFor(model);
  if (paths.length === 0) throw new CommandError(`${model.name} ${advice}`);
  await requireUnused(model, paths, folder, context);
  const { name, bytes, readBytes } = await describeFound(model, folder);
  const size = formatBytes(model.source === 'svc' ? bytes + readBytes : readBytes);
  const what = model.source === 'svc' ? name : `what svc read of ${name}`;
  await agree(`Delete ${what} (${size})?`, context, io);
  for (const path of paths) await remove(path);
  const rest = advice === null ? '' : ` The model itself ${advice}`;
  answer({ removed: { name, paths } }, () => `${toSafeLine(`Deleted ${what}, ${size}.${rest}`)}\n`);
};

/** What is svc's own of it. */
function pathsOf({ source, path, copies }: FoundModel): string[] {
  return source === 'svc' && path !== null ? [path, ...copies] : copies;
}

const hasPaths = (model: FoundModel) => pathsOf(model).length > 0;

/** How to delete what is not svc's own. */
function adviceFor({ source, name, path }: FoundModel): string | null {
  if (source === 'svc') return null;
  const [, own = ''] = /^[a-z]+:(.*)$/.exec(name) ?? [];
  const [id] = name.split(':');
  const advice: Record<Exclude<FoundModel['source'], 'svc'>, string> = {
    bundled: 'ships with svc and cannot be deleted.',
    file: `is not in svc's data folder, so svc does not delete it: ${path}`,
    hub: `is in Hugging Face's cache. To delete it, run: hf cache rm model/${id}`,
    ollama: `is Ollama's. To delete it, run: ollama rm ${own}`,
    lmstudio: "is LM Studio's. Delete it there, under My Models.",
  };
  return advice[source];
}

/** Throws if a cloud uses the model, or jobs were trained on it. */
async function requireUnused(
  { name, inUse }: FoundModel,
  paths: readonly string[],
  folder: string,
  { values, io }: Context,
): Promise<void> {
  const { cloud, owner } = await findRunning(folder, io.clock, 0);
  const isRunning = cloud !== null || owner !== null;
  if ((isRunning && inUse) || (await isAmong(cloud?.modelFolder, paths)))
    throw new CommandError(
      `The local cloud is running with ${name}. Stop it first, and start it with another --base-model.`,
    );
  if (owner)
    throw new CommandError(
      `The local cloud does not respond, so svc cannot tell whether it uses ${name}. Stop it first.`,
    );
  if (values.force) return;
  if (inUse)
    throw new CommandError(
      `The next start of the local cloud uses ${name}. Start it with another --base-model first, or pass --force.`,
    );
  const jobs = await countJobsTrainedOn(folder, paths.flatMap(digestOf));
  if (jobs > 0)
    throw new CommandError(
      `Adapters of ${plural(jobs, 'job')} were trained on ${name} and need it. To delete it anyway, pass --force.`,
    );
}

/** Whichever links lead there. */
async function isAmong(used: string | undefined, paths: readonly string[]): Promise<boolean> {
  if (used === undefined) return false;
  const [place, ...places] = await Promise.all(
    [used, ...paths].map(path => realpath(path).catch(() => path)),
  );
  return places.includes(place!);
}

/** A folder counts as incomplete from the first moment on. A link is deleted, and not what it leads to. */
async function remove(path: string): Promise<void> {
  await withFileLock(lockOf(path), async () => {
    if (!(await isThere(path)))
      throw new CommandError(
        `${path} no longer exists: it was deleted, or its download finished. Run "svc models".`,
      );
    const isFolder = (await lstat(path)).isDirectory();
    const aside = isFolder && !path.endsWith('.partial') ? `${path}${REMOVED}` : path;
    if (aside !== path) {
      // What is left of one that was interrupted.
      await rm(aside, { recursive: true, force: true });
      await rename(path, aside);
    }
    await rm(aside, { recursive: true, force: true });
  });
  // The folder of single files, if this was the last.
  if (dirname(path).endsWith('--files')) await rmdir(dirname(path)).catch(() => {});
}

/** Named like an interrupted download, so that a crash leaves nothing that looks complete. */
const REMOVED = `.${'0'.repeat(12)}.partial`;
