// Repositories on the Hugging Face Hub: their latest commit, their files and the content.
import { createHash, type Hash } from 'node:crypto';
import type { HubApiError, ListFileEntry } from '@huggingface/hub';

export interface Hub {
  readonly url: string;
  readonly token: string | undefined;
  readonly fetch: typeof fetch;
}

export interface HubOptions {
  /** Defaults to `HF_ENDPOINT`, then to the public Hub. */
  hubUrl?: string | undefined;
  /** For private or gated repositories. Defaults to `HF_TOKEN`. */
  hubToken?: string | undefined;
  fetch?: typeof fetch | undefined;
}

export interface HubRepository {
  readonly type: 'model' | 'dataset';
  readonly name: string;
  readonly commit: string;
}

export type HubFile = Pick<ListFileEntry, 'path' | 'size' | 'lfs' | 'xetHash'> & {
  readonly oid?: string | undefined;
};

const PUBLIC_HUB = 'https://huggingface.co';

/** On demand: every process that reads files or runs a model would take a quarter longer to start. */
const loadClient = () => import('@huggingface/hub');

export function toHub({ hubUrl, hubToken, fetch: ownFetch = fetch }: HubOptions): Hub {
  return {
    url: (hubUrl ?? (process.env.HF_ENDPOINT || PUBLIC_HUB)).replace(/\/+$/, ''),
    token: (hubToken ?? process.env.HF_TOKEN)?.trim() || undefined,
    fetch: ownFetch,
  };
}

/** The repository at the latest commit of its default branch. */
export async function findRepository(
  hub: Hub,
  { type, name }: Pick<HubRepository, 'type' | 'name'>,
): Promise<HubRepository> {
  const { modelInfo, datasetInfo } = await loadClient();
  const wanted = { ...toAccess(hub), name, additionalFields: ['sha' as const] };
  const { sha } = type === 'model' ? await modelInfo(wanted) : await datasetInfo(wanted);
  return { type, name, commit: sha };
}

/** Those of the root folder only, unless `recursive`. */
export async function listHubFiles(
  hub: Hub,
  { type, name, commit }: HubRepository,
  { recursive = false } = {},
): Promise<HubFile[]> {
  const { listFiles } = await loadClient();
  const files: HubFile[] = [];
  const listed = listFiles({ ...toAccess(hub), repo: { type, name }, revision: commit, recursive });
  for await (const { type: kind, path, size, oid, lfs, xetHash } of listed)
    if (kind === 'file') files.push({ path, size, oid, ...(lfs && { lfs }), ...(xetHash && { xetHash }) });
  return files;
}

/** The content, which is not downloaded yet; null if the Hub does not have it. */
export async function openHubFile(
  hub: Hub,
  { type, name, commit }: HubRepository,
  path: string,
): Promise<Blob | null> {
  const { downloadFile } = await loadClient();
  return downloadFile({
    ...toAccess(hub),
    repo: { type, name },
    path: path.split('/').map(encodeURIComponent).join('/'),
    revision: commit,
    xet: false,
  });
}

interface Checksum {
  readonly kind: 'sha256' | 'git';
  readonly hash: Hash;
  /** Missing if the Hub does not list one. */
  readonly expected: string | undefined;
}

/** The Hub lists large files with their SHA-256, others with their git hash. */
export function toChecksum({ lfs, oid, xetHash, size }: HubFile): Checksum {
  if (lfs || xetHash || !oid) return { kind: 'sha256', hash: createHash('sha256'), expected: lfs?.oid };
  return { kind: 'git', hash: createHash('sha1').update(`blob ${size}\0`), expected: oid };
}

/** The status that the Hub answered with, if it answered. */
export function hubStatusOf(error: unknown): number | undefined {
  return error instanceof Error ? (error as Partial<HubApiError>).statusCode : undefined;
}

function toAccess({ url, token, fetch }: Hub) {
  return { hubUrl: url, fetch, ...(token !== undefined && { accessToken: token }) };
}
