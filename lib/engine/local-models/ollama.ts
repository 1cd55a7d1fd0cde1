// The models that Ollama has downloaded on this machine. Reads its own store: a manifest a name, which lists blobs.
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalModel, LocalModelError, type LocalPlaces, listEntries, MOST_MODELS } from './places.js';

const REGISTRY = 'registry.ollama.ai';
/** Where the service of its Linux installer keeps them. */
const SERVICE_STORE = '/usr/share/ollama/.ollama/models';

/** The GGUF file of `name`, which may have a registry, an owner and a tag, as in Ollama's commands. */
export async function findOllamaModel(name: string, places: LocalPlaces): Promise<string> {
  const parts = parseName(name);
  const stores = listStores(places);
  const store = stores.find(folder => existsSync(join(folder, 'manifests', ...parts)));
  if (store === undefined)
    throw new LocalModelError(
      `Ollama has no model ${name} on this machine (looked in ${stores.join(' and ')}). To download it, run: ollama pull ${name}`,
    );
  const blob = join(store, 'blobs', await readDigest(name, join(store, 'manifests', ...parts)));
  if (!existsSync(blob))
    throw new LocalModelError(
      `Ollama's copy of ${name} is incomplete. Download it again: ollama pull ${name}`,
    );
  return blob;
}

/** By the names that `ollama list` shows. One that cannot be used says why. */
export async function listOllamaModels(places: LocalPlaces): Promise<LocalModel[]> {
  const models: LocalModel[] = [];
  for (const store of listStores(places)) {
    for await (const parts of walkManifests(join(store, 'manifests'))) {
      const name = toName(parts);
      if (toParts(name)?.join() !== parts.join()) continue;
      models.push(await toLocalModel(name, store, parts, places));
      if (models.length >= MOST_MODELS) return models;
    }
  }
  return models;
}

/** A registry, an owner, a name and a tag. */
const DEPTH = 4;

async function* walkManifests(folder: string, above: readonly string[] = []): AsyncGenerator<string[]> {
  for (const entry of await listEntries(folder)) {
    const parts = [...above, entry];
    if (parts.length === DEPTH) yield parts;
    else yield* walkManifests(join(folder, entry), parts);
  }
}

function toName(parts: readonly string[]): string {
  const [registry, owner, name, tag] = parts;
  const whole = registry === REGISTRY ? (owner === 'library' ? [name] : [owner, name]) : parts.slice(0, -1);
  return `${whole.join('/')}:${tag}`;
}

async function toLocalModel(
  name: string,
  store: string,
  parts: readonly string[],
  places: LocalPlaces,
): Promise<LocalModel> {
  const model = { program: 'ollama', name: `ollama:${name}` } as const;
  try {
    const path = await findOllamaModel(name, places);
    const { layers } = await readManifest(name, join(store, 'manifests', ...parts));
    const license = toBlobName(layers.find(({ mediaType }) => mediaType === LICENSE)?.digest);
    return { ...model, path, ...(license && { licenseFile: join(store, 'blobs', license) }) };
  } catch (error) {
    return { ...model, path: null, problem: (error as Error).message };
  }
}

function listStores({ env, home }: LocalPlaces): string[] {
  return env.OLLAMA_MODELS ? [env.OLLAMA_MODELS] : [join(home, '.ollama', 'models'), SERVICE_STORE];
}

/** Whether Ollama takes this as the name of a model. */
export function isOllamaName(name: string): boolean {
  return toParts(name) !== undefined;
}

/** The path of the manifest. */
function parseName(name: string): string[] {
  const parts = toParts(name);
  if (parts) return parts;
  throw new LocalModelError(
    `"${name}" is not the name of an Ollama model. Use a name such as ollama:smollm2:135m.`,
  );
}

function toParts(name: string): string[] | undefined {
  const [, path = '', tag = 'latest'] = /^([^:]+)(?::([^:/]+))?$/.exec(name) ?? [];
  const parts = path.split('/');
  const whole =
    parts.length === 1 ? [REGISTRY, 'library', ...parts] : parts.length === 2 ? [REGISTRY, ...parts] : parts;
  const isName = whole.length <= 4 && [...whole, tag].every(part => /^[\w-][\w.-]*$/.test(part));
  return isName ? [...whole, tag] : undefined;
}

const MODEL = 'application/vnd.ollama.image.model';
const ADAPTER = 'application/vnd.ollama.image.adapter';
const LICENSE = 'application/vnd.ollama.image.license';
const LONGEST_MANIFEST = 2 ** 20;

interface Manifest {
  layers: readonly { mediaType?: unknown; digest?: unknown }[];
}

/** The name of the model's blob. */
async function readDigest(name: string, path: string): Promise<string> {
  const { layers } = await readManifest(name, path);
  if (layers.some(({ mediaType }) => mediaType === ADAPTER))
    throw new LocalModelError(
      `Ollama's ${name} has an adapter on top of its model, which is not supported. Use the model it was made from.`,
    );
  const blob = toBlobName(layers.find(({ mediaType }) => mediaType === MODEL)?.digest);
  if (blob !== undefined) return blob;
  throw new LocalModelError(`Ollama's ${name} has no GGUF file (${path}). Choose another model.`);
}

function toBlobName(digest: unknown): string | undefined {
  return typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest)
    ? digest.replace(':', '-')
    : undefined;
}

async function readManifest(name: string, path: string): Promise<Manifest> {
  const found = await stat(path);
  const text = found.isFile() && found.size <= LONGEST_MANIFEST ? await readFile(path, 'utf8') : '';
  try {
    const content = JSON.parse(text) as { layers?: unknown };
    if (Array.isArray(content.layers) && content.layers.every(layer => typeof layer === 'object' && layer))
      return content as Manifest;
  } catch (cause) {
    throw damaged(name, path, cause);
  }
  throw damaged(name, path);
}

function damaged(name: string, path: string, cause?: unknown): LocalModelError {
  return new LocalModelError(`${path} is damaged. Download the model again: ollama pull ${name}`, { cause });
}
