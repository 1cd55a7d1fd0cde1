// The models in the cache of the Hugging Face Hub on this machine, which its own libraries fill:
// `models--OWNER--NAME/snapshots/COMMIT/`, with links to the files' content.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REQUIRED_FILES } from '../run-layout.js';
import { isModelFile, type LocalModel, type LocalPlaces, listEntries, MOST_MODELS } from './places.js';

export async function listHubModels(places: LocalPlaces): Promise<LocalModel[]> {
  const cache = findHubCache(places);
  const models: LocalModel[] = [];
  for (const entry of await listEntries(cache)) {
    const [, owner, name] = /^models--([\w-][\w.-]*?)--([\w-][\w.-]*)$/.exec(entry) ?? [];
    const snapshot = name === undefined ? null : await findSnapshot(join(cache, entry));
    if (snapshot) models.push(...(await listSnapshot(snapshot, `${owner}/${name}`)));
    if (models.length >= MOST_MODELS) break;
  }
  return models;
}

/** The folder of a model whose files are all there, or the path of its GGUF file; null if there is none. */
export async function findHubModel(
  { id, file }: { id: string; file?: string | undefined },
  places: LocalPlaces,
): Promise<string | null> {
  const snapshot = await findSnapshot(join(findHubCache(places), `models--${id.replace('/', '--')}`));
  if (snapshot === null) return null;
  const files = await listEntries(snapshot);
  if (file !== undefined) return files.includes(file) ? join(snapshot, file) : null;
  return isWhole(files) ? snapshot : null;
}

/** As Hugging Face's libraries find it. */
function findHubCache({ env, home }: LocalPlaces): string {
  if (env.HF_HUB_CACHE) return env.HF_HUB_CACHE;
  const caches = env.XDG_CACHE_HOME || join(home, '.cache');
  return join(env.HF_HOME || join(caches, 'huggingface'), 'hub');
}

/** The latest version that was downloaded. */
async function findSnapshot(folder: string): Promise<string | null> {
  const snapshots = join(folder, 'snapshots');
  const commit = (await readFile(join(folder, 'refs', 'main'), 'utf8').catch(() => '')).trim();
  const found = await listEntries(snapshots);
  const chosen = found.includes(commit) ? commit : found.length === 1 ? found[0] : undefined;
  return chosen === undefined ? null : join(snapshots, chosen);
}

async function listSnapshot(snapshot: string, id: string): Promise<LocalModel[]> {
  const files = await listEntries(snapshot);
  const ggufs = files.filter(isNamed).map(file => ({ name: `${id}:${file}`, path: join(snapshot, file) }));
  // A folder of GGUF files often has a config.json, too.
  const isListed = ggufs.length === 0 ? files.includes('config.json') : isWhole(files);
  const whole = isListed ? [{ name: id, path: snapshot }] : [];
  return [...whole, ...ggufs].map(model => ({ program: 'hub', ...model }));
}

/** Whether it can be named as `OWNER/NAME:FILE`. */
const isNamed = (file: string) => isModelFile(file) && /^[\w-][\w.-]*$/.test(file);

const SHARD = /^model(?:\.safetensors)?-\d+-of-(\d+)\.safetensors$/;

function isWhole(files: readonly string[]): boolean {
  const shards = files.filter(file => SHARD.test(file));
  const wanted = Number(SHARD.exec(shards[0] ?? '')?.[1] ?? Number.NaN);
  const hasWeights = files.includes('model.safetensors') || shards.length === wanted;
  return hasWeights && REQUIRED_FILES.every(name => files.includes(name));
}
