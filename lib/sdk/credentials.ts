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
} from '../contract/index.js';
import { withFileLock } from './files/file-lock.js';
import { replaceFile } from './files/files.js';
import { readJsonFile } from './files/json-file.js';
import { IN_HOME } from './files/not-writable.js';

export const credentialsPathIn = (home: string) => join(home, 'credentials.json');

/** Runs `work` while no other process can write credentials. */
export function withCredentialsLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  return withFileLock(`${credentialsPathIn(home)}.lock`, work, { elsewhere: IN_HOME });
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

type Entry = CredentialsFile['clouds'][string];

export function withEntry(file: CredentialsFile, key: string, entry: CloudCredentials): CredentialsFile {
  return { ...file, clouds: { ...file.clouds, [key]: entry } };
}

/**
 * Also makes this cloud the current one, and sets its anonymous identity aside rather than losing it, because nothing
 * else can access what was created with it.
 */
export function signedIn(file: CredentialsFile, key: string, entry: CloudCredentials): CredentialsFile {
  const former = file.clouds[key];
  const aside = former?.mode === 'anonymous' ? { ...file.anonymous, [key]: former } : file.anonymous;
  return { ...withEntry(file, key, entry), current: key, ...(aside && { anonymous: aside }) };
}

export function signedOut({ current, ...file }: CredentialsFile, key: string): CredentialsFile {
  const stays = current !== undefined && current !== key;
  return { ...file, clouds: without(file.clouds, key), ...(stays && { current }) };
}

/** Restores the anonymous identity that was set aside; null if there is none. */
export function takenBack(file: CredentialsFile, key: string): CredentialsFile | null {
  const { anonymous = {}, ...others } = file;
  const former = anonymous[key];
  if (!former) return null;
  const rest = without(anonymous, key);
  const clouds = { ...file.clouds, [key]: former };
  return { ...others, clouds, ...(Object.keys(rest).length > 0 && { anonymous: rest }) };
}

function without(entries: Record<string, Entry>, key: string): Record<string, Entry> {
  const { [key]: _, ...others } = entries;
  return others;
}

type Facts = Pick<CloudCredentials, 'baseModel' | 'deploymentDomain'>;

/** Updates what the file says about a cloud, whose base model may have changed since the identity was created. */
export async function noteCloud(home: string, key: string, about: Partial<Facts>): Promise<void> {
  if (!(await findOutdated(home, key, about))) return;
  await withCredentialsLock(home, async () => {
    const changed = await findOutdated(home, key, about);
    if (changed) await changeCredentials(home, file => withEntry(file, key, changed));
  });
}

/** The entry as it should be; null if it is. Ignores an unreadable file, which is reported by code that needs its content. */
async function findOutdated(
  home: string,
  key: string,
  about: Partial<Facts>,
): Promise<CloudCredentials | null> {
  const entry = await readCredentials(home, key).catch(() => null);
  if (!entry) return null;
  const { baseModel = entry.baseModel, deploymentDomain = entry.deploymentDomain } = about;
  const isCurrent = entry.baseModel === baseModel && entry.deploymentDomain === deploymentDomain;
  return isCurrent ? null : { ...entry, baseModel, deploymentDomain };
}
