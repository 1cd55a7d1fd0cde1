// The cloud's log: a JSON object a line. When the file is large its content moves aside and it is emptied in place, so
// that processes which inherited it go on writing to the same file.
import { appendFileSync, copyFileSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CloudLogLine } from '../deps.js';

export const LOG_LIMIT = 10 * 1024 ** 2;

export type Log = (line: CloudLogLine) => void;

export function logFileOf(folder: string): string {
  return join(folder, 'logs', 'cloud.log');
}

/** Writes at once, so that the last line before a crash is there. What looks like a secret is left out. */
export function openLog(file: string, secrets: readonly string[], limit = LOG_LIMIT): Log {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return line => {
    const text = `${withoutSecrets(toText(line), secrets)}\n`;
    if (sizeOf(file) + Buffer.byteLength(text) > limit) rotate(file);
    appendFileSync(file, text, { mode: 0o600 });
  };
}

function toText({ error, ...line }: CloudLogLine): string {
  return JSON.stringify({
    at: new Date().toISOString(),
    ...line,
    ...(error !== undefined && { error: describeError(error) }),
  });
}

/** The stack of an error and of what caused it. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? text : `${text}\ncaused by ${describeError(error.cause)}`;
}

/** Our tokens and keys, the Hub's, those of identity providers, and whatever was sent as a bearer. */
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

function rotate(file: string): void {
  if (sizeOf(file) === 0) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}
