// Downloads a model from the Hugging Face Hub. The folder appears only when it is complete; an interrupted download is
// kept next to it and resumes.
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rename } from '../../system/index.js';
import { fetchModelFile } from './fetch-model-file.js';
import {
  findRepository,
  type Hub,
  type HubFile,
  type HubOptions,
  hubStatusOf,
  listHubFiles,
  toHub,
} from './repository.js';

interface ModelDownload extends Omit<HubOptions, 'fetch'> {
  /** `owner/name`. */
  id: string;
  folder: string;
  /** Called before each file. */
  onFile?: (path: string, bytes: number) => void;
  /** Receives the content of `config.json` before anything else is downloaded; throws if the model is not supported. */
  checkConfig?: (content: unknown, name: string) => unknown;
}

/** The model could not be downloaded. The message says what to do. @internal */
export class ModelDownloadError extends Error {
  override readonly name = 'ModelDownloadError';
}

export function isModelId(text: string): boolean {
  return /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(text);
}

/** Sends no request if the folder already exists. */
export async function downloadModel({
  id,
  folder,
  onFile,
  checkConfig,
  ...access
}: ModelDownload): Promise<void> {
  if (existsSync(folder)) return;
  const hub = toHub(access);
  try {
    const model = await findRepository(hub, { type: 'model', name: id });
    const files = chooseFiles(id, await listHubFiles(hub, model));
    const partial = `${folder}.${model.commit.slice(0, 12)}.partial`;
    await mkdir(partial, { recursive: true });
    for (const file of files) {
      onFile?.(file.path, file.size);
      await fetchModelFile(hub, model, file, partial);
      if (file.path === CONFIG) await checkDownloadedConfig(id, join(partial, CONFIG), checkConfig);
    }
    await rename(partial, folder);
  } catch (error) {
    throw toDownloadError(id, hub, error);
  }
}

async function checkDownloadedConfig(
  id: string,
  path: string,
  checkConfig: ModelDownload['checkConfig'],
): Promise<void> {
  const text = await readFile(path, 'utf8');
  try {
    checkConfig?.(JSON.parse(text), CONFIG);
  } catch (error) {
    throw new ModelDownloadError(`${id} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

const CONFIG = 'config.json';
const REQUIRED_FILES = [CONFIG, 'tokenizer.json', 'tokenizer_config.json'];
const SINGLE_WEIGHTS = 'model.safetensors';
const OPTIONAL_FILES =
  /^(?:generation_config\.json|chat_template\.jinja|model\.safetensors\.index\.json|model-\d+-of-\d+\.safetensors)$/;

/** The files that the engine reads: the config first, then the smallest. A single weights file wins over shards. */
function chooseFiles(id: string, listed: readonly HubFile[]): HubFile[] {
  const hasSingleFile = listed.some(({ path }) => path === SINGLE_WEIGHTS);
  const chosen = listed.filter(
    ({ path }) =>
      REQUIRED_FILES.includes(path) ||
      path === SINGLE_WEIGHTS ||
      (OPTIONAL_FILES.test(path) && !(hasSingleFile && path.startsWith('model'))),
  );
  const missing = REQUIRED_FILES.find(name => !chosen.some(({ path }) => path === name));
  if (missing) throw new ModelDownloadError(`${id} has no ${missing} on the Hub. Choose another model.`);
  if (!chosen.some(({ path }) => path.endsWith('.safetensors')))
    throw new ModelDownloadError(`${id} has no safetensors weights on the Hub. Choose another model.`);
  return chosen.sort((a, b) => Number(b.path === CONFIG) - Number(a.path === CONFIG) || a.size - b.size);
}

function toDownloadError(id: string, { url, token }: Hub, error: unknown): unknown {
  if (error instanceof ModelDownloadError) return error;
  const status = hubStatusOf(error);
  if (status === undefined) {
    const { message, cause } = error as Error;
    const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
    return new ModelDownloadError(
      `${id} cannot be downloaded from ${url} (${reason}). Try again to resume, or use a local folder.`,
      { cause: error },
    );
  }
  if (status === 403)
    return new ModelDownloadError(
      `This account has no access to ${id}. Sign in at ${url}/${id} with the account of HF_TOKEN and accept its conditions.`,
    );
  if (status === 401 && token !== undefined)
    return new ModelDownloadError('The Hub rejected HF_TOKEN. Set it to a valid token.');
  if (status === 401 || status === 404)
    return new ModelDownloadError(
      `No local folder and no public model ${id} on the Hub. Check the name, or set HF_TOKEN if the model is private.`,
    );
  return new ModelDownloadError(`The Hub at ${url} answered ${status} for ${id}. Try again later.`);
}
