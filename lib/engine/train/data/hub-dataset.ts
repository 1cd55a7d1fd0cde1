// Reads data sets on the Hugging Face Hub: their latest commit, their files, and the content, verified by hash.
import { createHash, type Hash } from 'node:crypto';
import { datasetInfo, downloadFile, type ListFileEntry, listFiles } from '@huggingface/hub';
import { findDownload, storeDownload } from './cache-folder.js';
import { DatasetError } from './dataset-error.js';
import { toShortName } from './short-name.js';

/** How to reach the Hub. */
export interface Hub {
  readonly url: string;
  readonly token: string | undefined;
  readonly fetch: typeof fetch;
}

export interface HubFile extends Pick<ListFileEntry, 'path' | 'size' | 'lfs' | 'xetHash'> {
  readonly oid?: string | undefined;
  readonly dataset: string;
  readonly commit: string;
}

/** The latest commit of the default branch. */
export async function findCommit(hub: Hub, dataset: string): Promise<string> {
  return (await datasetInfo({ ...toAccess(hub), name: dataset, additionalFields: ['sha'] })).sha;
}

export async function listHubFiles(hub: Hub, dataset: string, commit: string): Promise<HubFile[]> {
  const files: HubFile[] = [];
  const repo = { type: 'dataset', name: dataset } as const;
  for await (const entry of listFiles({ ...toAccess(hub), repo, revision: commit, recursive: true })) {
    if (entry.type !== 'file') continue;
    const { path, size, oid, lfs, xetHash } = entry;
    files.push({ path, size, oid, ...(lfs && { lfs }), ...(xetHash && { xetHash }), dataset, commit });
  }
  return files;
}

/** Returns a local path; downloads the file unless its content is already in the folder. */
export async function fetchHubFile(hub: Hub, file: HubFile, folder: string): Promise<string> {
  const checksum = toChecksum(file);
  const stored =
    checksum.expected && (await findDownload(folder, checksum.toName(checksum.expected), file.size));
  if (stored) return stored;
  const blob = await downloadFile({
    ...toAccess(hub),
    repo: { type: 'dataset', name: file.dataset },
    path: file.path.split('/').map(encodeURIComponent).join('/'),
    revision: file.commit,
    xet: false,
  });
  const name = toShortName(file.path);
  if (!blob) throw new DatasetError(name, 'the Hub lists it but does not have it');
  return storeDownload(folder, blob.stream() as AsyncIterable<Uint8Array>, checksum.hash, digest => {
    if (checksum.expected !== undefined && checksum.expected !== digest)
      throw new DatasetError(name, 'the download does not match its checksum on the Hub; try again');
    return checksum.toName(digest);
  });
}

function toAccess({ url, token, fetch }: Hub) {
  return { hubUrl: url, fetch, ...(token !== undefined && { accessToken: token }) };
}

interface Checksum {
  readonly hash: Hash;
  /** Missing if the Hub does not list one. */
  readonly expected: string | undefined;
  toName(digest: string): string;
}

/** The Hub lists large files with their SHA-256, others with their git hash. */
function toChecksum({ lfs, oid, xetHash, size }: HubFile): Checksum {
  if (lfs || xetHash || !oid)
    return { hash: createHash('sha256'), expected: lfs?.oid, toName: digest => `hub-sha256-${digest}` };
  const hash = createHash('sha1').update(`blob ${size}\0`);
  return { hash, expected: oid, toName: digest => `hub-git-${digest}` };
}
