// Files by their content, so that a copy or a renamed file is the same one. Each is read once: its digest is kept under its
// path, size and times.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../system/index.js';

export interface DigestOptions {
  /** Keeps digests for other processes. */
  folder?: string | undefined;
  /** Whether to read a file that is not known. Default: true. */
  reads?: boolean | undefined;
}

const known = new Map<string, string>();

/** The SHA-256 of a file; null if it would have to be read. */
export async function digestContent(
  file: string,
  { folder, reads = true }: DigestOptions = {},
): Promise<string | null> {
  const { size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
  const state = createHash('sha256').update(JSON.stringify([file, `${size}`, `${mtimeNs}`, `${ctimeNs}`]));
  const key = state.digest('hex').slice(0, 32);
  const kept = folder === undefined ? null : join(folder, `${key}.content`);
  const found = known.get(key) ?? (kept === null ? null : await readDigest(kept));
  if (found === null && !reads) return null;
  const digest = found ?? (await readAll(file));
  known.set(key, digest);
  if (kept !== null && found === null) await keepDigest(folder!, kept, digest);
  return digest;
}

async function readAll(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Null if there is none, or it is damaged. */
async function readDigest(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return /^[0-9a-f]{64}$/.test(text) ? text : null;
}

/** Without it, the next process reads the file again. */
async function keepDigest(folder: string, path: string, digest: string): Promise<void> {
  await mkdir(folder, { recursive: true })
    .then(() => replaceFile(path, digest))
    .catch(() => {});
}
