// `~/.svc/credentials.json`: one entry per cloud. A file that cannot be parsed is reported and left unchanged; unknown
// fields are kept.
import { join } from 'node:path';
import {
  ApiError,
  type CloudCredentials,
  type CredentialsFile,
  cloudCredentials,
  credentialsFile,
  findFault,
} from '../../contract/index.js';
import { withFileLock } from '../files/file-lock.js';
import { IN_HOME } from '../files/not-writable.js';
import { readJsonFile } from '../files/read-json.js';
import { replaceFile } from '../files/replace-file.js';

export const credentialsPathIn = (home: string) => join(home, 'credentials.json');

/** Runs `work` while no other process can write credentials. */
export function withCredentialsLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  return withFileLock(`${credentialsPathIn(home)}.lock`, work, IN_HOME);
}

export async function readCredentialsFile(home: string): Promise<CredentialsFile | null> {
  return readJsonFile(credentialsPathIn(home), credentialsFile, 'credentials_invalid');
}

/** The entry for a cloud; null if there is none. */
export async function readCredentials(home: string, key: string): Promise<CloudCredentials | null> {
  const entry = (await readCredentialsFile(home))?.clouds[key];
  if (entry === undefined) return null;
  const fault = findFault(cloudCredentials, entry, 'It');
  if (!fault) return entry as CloudCredentials;
  throw new ApiError(
    'credentials_invalid',
    `The entry for ${key} in ${credentialsPathIn(home)} is invalid: ${fault} Fix it or run \`svc logout\`.`,
  );
}

/** Whether an anonymous identity for the cloud is set aside until the user signs out. */
export async function isSetAside(home: string, key: string): Promise<boolean> {
  return (await readCredentialsFile(home))?.anonymous?.[key] !== undefined;
}

/** Replaces the file's content; leaves it alone if `change` returns null. Call it with the lock held. */
export async function changeCredentials(
  home: string,
  change: (file: CredentialsFile) => CredentialsFile | null,
): Promise<boolean> {
  const content = change((await readCredentialsFile(home)) ?? { clouds: {} });
  if (content) await replaceFile(credentialsPathIn(home), `${JSON.stringify(content, null, 2)}\n`, 0o600);
  return content !== null;
}
