// svc models rm NAME: deletes a base model that svc downloaded, or what it read of a GGUF file, and its rounded weights. What
// belongs to other programs, it leaves to their own commands.
import { existsSync } from 'node:fs';
import { lstat, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { countJobsTrainedOn } from '../../../lib/cloud/index.js';
import { formatBytes, plural } from '../../../lib/console/index.js';
import { withFileLock } from '../../../lib/sdk/local-cloud/index.js';
import { isThere } from '../../../lib/system/index.js';
import { CommandError, type Context, type RunCommand } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { dataOf, findFolder, findRunning } from '../cloud/local-cloud.js';
import { lockOf } from '../cloud/model-places.js';
import { agree } from '../terminal/ask.js';
import { describeFound, digestsOf, roundedOf } from './describe-found.js';
import { type FoundModel, findModel, findModels } from './find-models.js';

export const run: RunCommand = async context => {
  const { io, positionals, answer } = context;
  const folder = findFolder(context);
  const model = await findModel(positionals[0]!, folder, io, hasPaths);
  const paths = pathsOf(model);
  const advice = adviceFor(model);
  const kept = roundedOf(model, folder).filter(path => existsSync(path));
  if (paths.length + kept.length === 0) throw new CommandError(`${model.name} ${advice}`);
  const used = await requireUnused(model, paths, folder, context);
  const rounded = kept.filter(path => !used.includes(path));
  if (paths.length + rounded.length === 0)
    throw new CommandError(
      `The local cloud is running with the rounded weights of ${model.name}. Stop it first.`,
    );
  const { name, bytes, readBytes, roundedBytes } = await describeFound(model, folder);
  const isOwn = model.source === 'svc';
  const size = formatBytes((isOwn ? bytes : 0) + readBytes + (rounded.length > 0 ? roundedBytes : 0));
  const what = isOwn
    ? name
    : paths.length > 0
      ? `what svc read of ${name}`
      : `the rounded weights of ${name}`;
  await agree(`Delete ${what} (${size})?`, context, io);
  for (const path of paths) await remove(path, dataOf(folder, io.env));
  for (const path of rounded) await rm(path, { recursive: true, force: true });
  const rest = advice === null ? '' : ` The model itself ${advice}`;
  answer(
    { removed: { name, paths: [...paths, ...rounded] } },
    () => `${toSafeLine(`Deleted ${what}, ${size}.${rest}`)}\n`,
  );
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

/**
 * Throws if a cloud uses the model or, if there is no file to read it from again, the next start does, or jobs were trained on it.
 * Returns the rounded weights that a running cloud uses.
 */
async function requireUnused(
  { name, inUse, source }: FoundModel,
  paths: readonly string[],
  folder: string,
  { values, io }: Context,
): Promise<string[]> {
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
  const used = cloud?.modelFolder ? roundedOf({ path: cloud.modelFolder, copies: [] }, folder) : [];
  if (values.force || source !== 'svc') return used;
  if (inUse)
    throw new CommandError(
      `The next start of the local cloud uses ${name}. Start it with another --base-model first, or pass --force.`,
    );
  const jobs = await countJobsTrainedOn(folder, await findLost(paths, folder, io));
  if (jobs > 0)
    throw new CommandError(
      `Adapters of ${plural(jobs, 'job')} were trained on ${name} and need it. To delete it anyway, pass --force.`,
    );
  return used;
}

/** The digests of models that are nowhere else on this machine. */
async function findLost(paths: readonly string[], folder: string, io: Context['io']): Promise<string[]> {
  const digests = digestsOf({ path: null, copies: [...paths] });
  if (digests.length === 0) return [];
  const others = (await findModels(folder, io)).filter(
    model => !pathsOf(model).some(path => paths.includes(path)),
  );
  const kept = new Set(others.flatMap(digestsOf));
  return digests.filter(digest => !kept.has(digest));
}

/** Whichever links lead there. */
async function isAmong(used: string | undefined, paths: readonly string[]): Promise<boolean> {
  if (used === undefined) return false;
  const [place, ...places] = await Promise.all(
    [used, ...paths].map(path => realpath(path).catch(() => path)),
  );
  return places.includes(place!);
}

/**
 * A folder counts as incomplete from the first moment on. A link is deleted, and not what it leads to. `data`: as `dataOf`
 * writes it.
 */
async function remove(path: string, data: string): Promise<void> {
  await withFileLock(lockOf(path), async () => {
    if (!(await isThere(path)))
      throw new CommandError(
        `${path} no longer exists: it was deleted, or its download finished. Run "svc models${data}".`,
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
