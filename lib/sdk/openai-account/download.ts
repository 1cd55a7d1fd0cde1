// Brings a file of the account here, once: what has arrived before a cut stays, and is continued where the server can.
import { type FileHandle, open, stat } from 'node:fs/promises';
import { createBackoff } from '../../client/index.js';
import type { Clock } from '../../clock/index.js';
import { unlessMissing } from '../../system/index.js';
import { isKind, OpenAiError } from '../openai-api/openai-error.js';
import type { OpenAiAccount } from './account.js';
import { isFileId, toDataName } from './names.js';
import type { AccountStore, FileNote } from './store.js';
import { digestOf, sizeOf } from './store.js';

export type KeptFile =
  | {
      state: 'downloaded' | 'here' | 'same';
      id: string;
      note: FileNote;
      path: string;
    }
  /** It is not what was downloaded; it stays as it is. */
  | { state: 'changed'; id: string; note: FileNote; path: string }
  /** The account no longer has it, or does not give it out. */
  | { state: 'deleted' | 'refused'; id: string; filename: string | null; why: string }
  /** It never was one of the account's files. */
  | { state: 'elsewhere'; id: string };

export interface DownloadContext {
  account: OpenAiAccount;
  store: AccountStore;
  clock: Clock;
  signal: AbortSignal;
  onProgress(progress: { name: string; done: number; total: number | null }): void;
}

export async function keepFile(
  context: DownloadContext,
  id: string,
  ending: '.jsonl' | '.csv',
): Promise<KeptFile> {
  if (!isFileId(id)) return { state: 'elsewhere', id };
  const { account, store } = context;
  const known = store.findNote(id);
  if (known) {
    const path = store.filePath(known.name);
    const size = (await unlessMissing(stat(path), null))?.size;
    if (size !== undefined) {
      const isSame = size === known.bytes && (await digestOf(path)) === known.sha256;
      return { state: isSame ? 'here' : 'changed', id, note: known, path };
    }
  }
  let filename: string | null = null;
  try {
    const described = await account.getFile(id);
    filename = described.filename;
    await receive(context, id, { name: filename ?? id, total: described.bytes });
  } catch (error) {
    if (isKind(error, 'missing')) return { state: 'deleted', id, filename, why: error.message };
    if (isKind(error, 'refused')) return { state: 'refused', id, filename, why: error.message };
    throw error;
  }
  const part = store.partPath(id);
  const sha256 = await digestOf(part);
  const usual = toDataName(id, filename, ending);
  const names = [store.findByDigest(sha256)?.name ?? usual, usual];
  const digests = await Promise.all(names.map(name => unlessMissing(digestOf(store.filePath(name)), null)));
  // A file with these bytes already counts as this one; a file with others belongs to someone and stays.
  const shared = names.find((_, index) => digests[index] === sha256);
  const free = digests[1] === null ? usual : toDataName(`${id}-${sha256.slice(0, 8)}`, filename, ending);
  const note: FileNote = { id, filename, bytes: await sizeOf(part), sha256, name: shared ?? free };
  await store.keep(note, shared !== undefined);
  return { state: shared ? 'same' : 'downloaded', id, note, path: store.filePath(note.name) };
}

interface Described {
  name: string;
  /** As the account lists it, which need not be what it sends. */
  total: number | null;
}

/** How often to continue without a single new byte in between. */
const MOST_STANDSTILLS = 5;

async function receive(context: DownloadContext, id: string, described: Described): Promise<void> {
  const { account, store, clock, signal } = context;
  const path = store.partPath(id);
  const backoff = createBackoff({ firstMs: 500, longestMs: 30_000 });
  for (let standstills = 0; ; ) {
    const before = await sizeOf(path);
    try {
      const response = await account.openFile(id, before);
      if (response.status === 416) {
        await response.body?.cancel();
        if (totalOf(response) === before) return;
        await empty(path);
      } else return await append(path, response, before, context, described);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OpenAiError || isLocal(error)) throw error;
    }
    standstills = (await sizeOf(path)) > before ? 0 : standstills + 1;
    if (standstills === MOST_STANDSTILLS)
      throw new OpenAiError(
        'unavailable',
        `The connection to ${account.host} broke off ${MOST_STANDSTILLS} times within ${described.name}. Run the command again to continue.`,
      );
    await clock.sleep(backoff.next(), signal);
  }
}

async function append(
  path: string,
  response: Response,
  before: number,
  { signal, onProgress }: DownloadContext,
  { name, total }: Described,
): Promise<void> {
  const isContinued = response.status === 206 && startOf(response) === before;
  if (response.status === 206 && !isContinued) {
    await response.body?.cancel();
    await empty(path);
    throw new TypeError('The server sent another range.');
  }
  const file = await open(path, isContinued ? 'a' : 'w');
  let done = isContinued ? before : 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      signal.throwIfAborted();
      await writeAll(file, chunk);
      done += chunk.length;
      onProgress({ name, done, total });
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) done += (await file.write(chunk, done)).bytesWritten;
}

async function empty(path: string): Promise<void> {
  await (await open(path, 'w')).close();
}

/** Of this machine's disk, which no further request repairs. */
function isLocal(error: unknown): boolean {
  return (
    (error as NodeJS.ErrnoException).syscall === 'write' ||
    (error as NodeJS.ErrnoException).syscall === 'open'
  );
}

const RANGE = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/;

function startOf({ headers }: Response): number | null {
  const start = RANGE.exec(headers.get('content-range') ?? '')?.[1];
  return start === undefined ? null : Number(start);
}

function totalOf({ headers }: Response): number | null {
  const total = RANGE.exec(headers.get('content-range') ?? '')?.[2];
  return total === undefined || total === '*' ? null : Number(total);
}
