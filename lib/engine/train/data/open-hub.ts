// Downloads the files of one split of a data set on the Hub.
import { type Hub, type HubRepository, toHub } from '../../hub/index.js';
import { chooseFiles } from './choose-files.js';
import type { DataFile, DatasetOptions, HuggingFaceSource } from './dataset.js';
import { DatasetError } from './dataset-error.js';
import { fetchHubFile } from './hub-dataset.js';
import { toHubError } from './hub-error.js';
import { openSnapshot } from './hub-snapshot.js';
import { toShortName } from './short-name.js';

/** Returns the local files, in order. */
export async function openHub(
  { name, split, subset }: HuggingFaceSource,
  options: DatasetOptions,
): Promise<DataFile[]> {
  const shown = toShortName(name);
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)?$/.test(name))
    throw new DatasetError(shown, 'is not the name of a data set on the Hub; use owner/name');
  const hub = openAccess(options, shown);
  try {
    const { commit, files: listed } = await openSnapshot(hub, name, options.snapshotFolder);
    const dataset: HubRepository = { type: 'dataset', name, commit };
    const byPath = new Map(listed.map(file => [file.path, file]));
    const choice = chooseFiles([...byPath.keys()], split, subset);
    if ('problem' in choice) throw new DatasetError(shown, choice.problem);
    const files: DataFile[] = [];
    for (const path of choice.paths) {
      const local = await fetchHubFile(hub, dataset, byPath.get(path)!, options.cacheFolder);
      files.push({ path: local, name: toShortName(path) });
    }
    return files;
  } catch (error) {
    options.signal?.throwIfAborted();
    throw toHubError(shown, hub, error);
  }
}

function openAccess({ signal, fetch: plain = fetch, ...options }: DatasetOptions, shown: string): Hub {
  const hub = toHub({
    ...options,
    fetch: signal ? (input, init) => plain(input, { ...init, signal }) : plain,
  });
  if (hub.token !== undefined && !/^hf_[\x21-\x7e]+$/.test(hub.token))
    throw new DatasetError(shown, 'HF_TOKEN is not a Hub token; those start with hf_');
  return hub;
}
