// A data set on the Hugging Face Hub: which commit it is at, what files it has, and their content, checked by hash.
import { createHash, type Hash } from 'node:crypto';
import { datasetInfo, downloadFile, type ListFileEntry, listFiles } from '@huggingface/hub';
import { findKept, keep } from './cache-folder.js';
import { DatasetError } from './dataset-error.js';
import { toShortName } from './short-name.js';

/** The Hub, and how to ask it. */
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

/** The commit that the default branch of a data set is at now. */
export async function findCommit(hub: Hub, dataset: string): Promise<string> {
  return (await datasetInfo({ ...toAccess(hub), name: dataset, additionalFields: ['sha'] })).sha;
}

/** All files of the data set at a commit. */
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

/** The file's path on this machine, after a download unless the same content is there. */
export async function fetchHubFile(hub: Hub, file: HubFile, folder: string): Promise<string> {
  const proof = toProof(file);
  const kept = proof.digest && (await findKept(folder, proof.toName(proof.digest), file.size));
  if (kept) return kept;
  const blob = await downloadFile({
    ...toAccess(hub),
    repo: { type: 'dataset', name: file.dataset },
    path: file.path.split('/').map(encodeURIComponent).join('/'),
    revision: file.commit,
    xet: false,
  });
  const name = toShortName(file.path);
  if (!blob) throw new DatasetError(name, 'the Hub lists it but does not have it');
  return keep(folder, blob.stream() as AsyncIterable<Uint8Array>, proof.hash, digest => {
    if (proof.digest !== undefined && proof.digest !== digest)
      throw new DatasetError(name, 'the download is not what the Hub says it holds; try again');
    return proof.toName(digest);
  });
}

function toAccess({ url, token, fetch }: Hub) {
  return { hubUrl: url, fetch, ...(token !== undefined && { accessToken: token }) };
}

interface Proof {
  readonly hash: Hash;
  /** What the hash must come to, where that is known. */
  readonly digest: string | undefined;
  toName(digest: string): string;
}

/** Large files are listed with their SHA-256, others with the hash that git gives them. */
function toProof({ lfs, oid, xetHash, size }: HubFile): Proof {
  if (lfs || xetHash || !oid)
    return { hash: createHash('sha256'), digest: lfs?.oid, toName: digest => `hub-sha256-${digest}` };
  const hash = createHash('sha1').update(`blob ${size}\0`);
  return { hash, digest: oid, toName: digest => `hub-git-${digest}` };
}
