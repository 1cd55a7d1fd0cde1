// The cloud's log, one JSON object per line. A large file is rotated, and the oldest is deleted.
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing, ROTATED_LOGS } from '../../system/index.js';
import type { CloudLogLine } from '../deps.js';

const LOG_LIMIT = 10 * 1024 ** 2;

/** `at`: the time of the event. Default: now. */
export type Log = (line: CloudLogLine & { at?: string }) => void;

/** Writes synchronously, so that the last line before a crash is saved. Redacts everything that looks like a secret. */
export function openLog(file: string, secrets: readonly string[], limit = LOG_LIMIT): Log {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return line => {
    const text = `${withoutSecrets(toText(line), secrets)}\n`;
    try {
      if (sizeOf(file) + Buffer.byteLength(text) > limit) turnOver(file);
      append(file, text);
    } catch {
      // A failing log must not break its caller, and there is nowhere else to report it.
    }
  };
}

function append(file: string, text: string): void {
  try {
    appendFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Its folder was deleted. The data folder is not made again if that was, too.
    mkdirSync(dirname(file), { mode: 0o700 });
    appendFileSync(file, text, { mode: 0o600 });
  }
}

function toText({ error, ...line }: CloudLogLine): string {
  return JSON.stringify({
    at: new Date().toISOString(),
    ...line,
    ...(error !== undefined && { error: describeError(error) }),
  });
}

/** The stack traces of an error and its causes. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? text : `${text}\ncaused by ${describeError(error.cause)}`;
}

/** Our tokens and keys, those of the Hub and of identity providers, and any bearer token. */
const SECRET_PATTERN =
  /\b(?:svc_(?:anon|live)_|hf_)[\w-]{8,}|\beyJ[\w-]*\.[\w-]+\.[\w-]*|\bBearer\s+[^\s"\\]+/gi;

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (rest, secret) => rest.replaceAll(secret, '[secret]'),
    text.replace(SECRET_PATTERN, '[secret]'),
  );
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** If a file cannot be moved because someone is reading it on Windows, logging continues in it. */
function turnOver(file: string): void {
  if (sizeOf(file) === 0) return;
  const names = ['', ...ROTATED_LOGS].map(ending => file + ending);
  try {
    rmSync(names.at(-1)!, { force: true });
    for (let i = names.length - 1; i > 0; i--)
      if (existsSync(names[i - 1]!)) renameSync(names[i - 1]!, names[i]!);
  } catch (error) {
    if (!/^(?:EPERM|EACCES|EBUSY)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Only the end of longer output is kept. */
const MOST_BYTES = 256 * 1024;

/**
 * Moves output of the cloud's processes, such as crashes and warnings from Node or native code, from its file to the log, in
 * the log's format. Only this function empties the file.
 */
export async function adoptOutput(file: string, log: Log): Promise<void> {
  const handle = await open(file, 'r+').catch(() => null);
  if (!handle) return;
  try {
    const { size, mtime } = await handle.stat();
    if (size === 0) return;
    const lines = (await readEnd(handle, size)).split(/\r?\n/).filter(Boolean);
    // Output printed at this very moment is lost. The file is opened for appending, so later output starts at its beginning.
    await handle.truncate();
    const [message, ...more] = lines;
    if (message === undefined) return;
    log({ at: mtime.toISOString(), message, ...(more.length > 0 && { error: more.join('\n') }) });
  } catch (error) {
    log({ message: "Could not read the cloud's output.", error });
  } finally {
    await handle.close();
  }
}

async function readEnd(handle: FileHandle, size: number): Promise<string> {
  const length = Math.min(size, MOST_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString('utf8', 0, bytesRead);
}
