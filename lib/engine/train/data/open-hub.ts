// Downloads the files of one split of a data set on the Hub.
import { chooseFiles } from './choose-files.js';
import type { DataFile, DatasetOptions, HuggingFaceSource } from './dataset.js';
import { DatasetError } from './dataset-error.js';
import { fetchHubFile, type Hub } from './hub-dataset.js';
import { toHubError } from './hub-error.js';
import { openSnapshot } from './hub-snapshot.js';
import { toShortName } from './short-name.js';

const publicHub = 'https://huggingface.co';

/** Returns the local files, in order. */
export async function openHub(
  { name, split, subset }: HuggingFaceSource,
  options: DatasetOptions,
): Promise<DataFile[]> {
  const shown = toShortName(name);
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)?$/.test(name))
    throw new DatasetError(shown, 'is not the name of a data set on the Hub; use owner/name');
  const hub = toHub(options, shown);
  try {
    const snapshot = await openSnapshot(hub, name, options.snapshotFolder);
    const byPath = new Map(snapshot.files.map(file => [file.path, file]));
    const choice = chooseFiles([...byPath.keys()], split, subset);
    if ('problem' in choice) throw new DatasetError(shown, choice.problem);
    const files: DataFile[] = [];
    for (const path of choice.paths) {
      const local = await fetchHubFile(hub, byPath.get(path)!, options.cacheFolder);
      files.push({ path: local, name: toShortName(path) });
    }
    return files;
  } catch (error) {
    options.signal?.throwIfAborted();
    throw toHubError(shown, hub, error);
  }
}

function toHub({ fetch: fetchHub = fetch, signal, hubUrl, hubToken }: DatasetOptions, shown: string): Hub {
  const url = (hubUrl ?? (process.env.HF_ENDPOINT || publicHub)).replace(/\/+$/, '');
  const token = (hubToken ?? process.env.HF_TOKEN)?.trim() || undefined;
  if (token !== undefined && !/^hf_[\x21-\x7e]+$/.test(token))
    throw new DatasetError(shown, 'HF_TOKEN is not a Hub token; those start with hf_');
  return { url, token, fetch: signal ? (input, init) => fetchHub(input, { ...init, signal }) : fetchHub };
}
