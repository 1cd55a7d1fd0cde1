// Brings a model from the Hugging Face Hub to a folder, which is there as a whole or not at all. What was downloaded
// before an interruption is kept, and gone on from.
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HubApiError } from '@huggingface/hub';
import { rename } from '../../system/index.js';
import { fetchModelFile } from './fetch-model-file.js';
import { type Hub, listModelFiles, type ModelFile } from './list-model-files.js';

export interface ModelDownload {
  /** `owner/name`. */
  id: string;
  folder: string;
  /** Told before each file. */
  onFile?: (path: string, bytes: number) => void;
  /** Given what `config.json` says, before anything else is downloaded; throws for a model that is of no use. */
  checkConfig?: (content: unknown, name: string) => unknown;
  /** The public Hub unless given here or in `HF_ENDPOINT`. */
  hubUrl?: string | undefined;
  /** For models that are private or gated; that of `HF_TOKEN` unless given. */
  token?: string | undefined;
}

/** The model cannot be had from the Hub; the message says what to do. */
export class ModelDownloadError extends Error {
  override readonly name = 'ModelDownloadError';
}

const PUBLIC_HUB = 'https://huggingface.co';

export function isModelId(text: string): boolean {
  return /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(text);
}

/** Asks nobody when the folder is there already. */
export async function downloadModel({
  id,
  folder,
  onFile,
  checkConfig,
  ...access
}: ModelDownload): Promise<void> {
  if (existsSync(folder)) return;
  const hub: Hub = {
    url: (access.hubUrl ?? (process.env.HF_ENDPOINT || PUBLIC_HUB)).replace(/\/+$/, ''),
    token: (access.token ?? process.env.HF_TOKEN)?.trim() || undefined,
  };
  try {
    const files = chooseFiles(id, await listModelFiles(hub, id));
    const partial = `${folder}.${files[0]!.commit.slice(0, 12)}.partial`;
    await mkdir(partial, { recursive: true });
    for (const file of files) {
      onFile?.(file.path, file.size);
      await fetchModelFile(hub, file, partial);
      if (file.path === CONFIG) await refuseUseless(id, join(partial, CONFIG), checkConfig);
    }
    await rename(partial, folder);
  } catch (error) {
    throw explain(id, hub, error);
  }
}

async function refuseUseless(
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
const TEXT_FILES = [CONFIG, 'tokenizer.json', 'tokenizer_config.json'];
const WHOLE = 'model.safetensors';
const WANTED =
  /^(?:generation_config\.json|chat_template\.jinja|model\.safetensors\.index\.json|model-\d+-of-\d+\.safetensors)$/;

/** What the engine reads: the config, then small files first. Weights that lie there twice, whole and in parts, are taken whole. */
function chooseFiles(id: string, listed: readonly ModelFile[]): ModelFile[] {
  const isWhole = listed.some(({ path }) => path === WHOLE);
  const chosen = listed.filter(
    ({ path }) =>
      TEXT_FILES.includes(path) ||
      path === WHOLE ||
      (WANTED.test(path) && !(isWhole && path.startsWith('model'))),
  );
  const missing = TEXT_FILES.find(name => !chosen.some(({ path }) => path === name));
  if (missing) throw new ModelDownloadError(`${id} has no ${missing} on the Hub: choose another model.`);
  if (!chosen.some(({ path }) => path.endsWith('.safetensors')))
    throw new ModelDownloadError(`${id} has no weights as safetensors on the Hub: choose another model.`);
  return chosen.sort((a, b) => Number(b.path === CONFIG) - Number(a.path === CONFIG) || a.size - b.size);
}

function explain(id: string, { url, token }: Hub, error: unknown): unknown {
  if (error instanceof ModelDownloadError) return error;
  if (!(error instanceof HubApiError)) {
    const { message, cause } = error as Error;
    const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
    return new ModelDownloadError(
      `${id} cannot be downloaded from ${url} (${reason}). What is here is kept: try again, or give a folder.`,
      { cause: error },
    );
  }
  const status = error.statusCode;
  if (status === 403)
    return new ModelDownloadError(
      `The Hub does not give ${id} to this account: accept its conditions at ${url}/${id}, with the account of HF_TOKEN.`,
    );
  if (status === 401 && token !== undefined)
    return new ModelDownloadError('The Hub does not accept HF_TOKEN: set it to one that is valid.');
  if (status === 401 || status === 404)
    return new ModelDownloadError(
      `There is no folder and no public model ${id} on the Hub: check the name, or set HF_TOKEN if it is private.`,
    );
  return new ModelDownloadError(`The Hub at ${url} answered ${status} for ${id}. Try again.`);
}
