// Changes to the credentials file, as pure functions of its content. Signing in to a cloud sets its anonymous identity
// aside rather than losing it, because nothing else can access what was created with it.
import type { CloudCredentials, CredentialsFile } from '../../contract/index.js';

type Entry = CredentialsFile['clouds'][string];

export function withEntry(file: CredentialsFile, key: string, entry: CloudCredentials): CredentialsFile {
  return { ...file, clouds: { ...file.clouds, [key]: entry } };
}

/** Also makes this cloud the current one. */
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
