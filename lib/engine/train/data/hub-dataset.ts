// Downloads the files of a data set on the Hugging Face Hub, verified by hash.
import { type Hub, type HubFile, type HubRepository, openHubFile, toChecksum } from '../../hub/index.js';
import { findDownload, storeDownload } from './cache-folder.js';
import { DatasetError } from './dataset-error.js';
import { toShortName } from './short-name.js';

/** Returns a local path; downloads the file unless its content is already in the folder. */
export async function fetchHubFile(
  hub: Hub,
  dataset: HubRepository,
  file: HubFile,
  folder: string,
): Promise<string> {
  const { kind, hash, expected } = toChecksum(file);
  const toName = (digest: string) => `hub-${kind}-${digest}`;
  const stored = expected && (await findDownload(folder, toName(expected), file.size));
  if (stored) return stored;
  const name = toShortName(file.path);
  const blob = await openHubFile(hub, dataset, file.path);
  if (!blob) throw new DatasetError(name, 'the Hub lists it but does not have it');
  return storeDownload(folder, blob.stream() as AsyncIterable<Uint8Array>, hash, digest => {
    if (expected !== undefined && expected !== digest)
      throw new DatasetError(name, 'the download does not match its checksum on the Hub; try again');
    return toName(digest);
  });
}
