// What happens to the credentials file, as functions of its content. Nothing that is not meant is lost: the anonymous
// identity of a cloud is set aside while somebody is signed in there, since only it opens what was made with it.
import type { CloudCredentials, CredentialsFile } from '../../contract/index.js';

type Entry = CredentialsFile['clouds'][string];

export function withEntry(file: CredentialsFile, key: string, entry: CloudCredentials): CredentialsFile {
  return { ...file, clouds: { ...file.clouds, [key]: entry } };
}

/** From now on this cloud is the one that is meant. */
export function signedIn(file: CredentialsFile, key: string, entry: CloudCredentials): CredentialsFile {
  const former = file.clouds[key];
  const aside = former?.mode === 'anonymous' ? { ...file.anonymous, [key]: former } : file.anonymous;
  return { ...withEntry(file, key, entry), current: key, ...(aside && { anonymous: aside }) };
}

export function signedOut({ current, ...file }: CredentialsFile, key: string): CredentialsFile {
  const stays = current !== undefined && current !== key;
  return { ...file, clouds: without(file.clouds, key), ...(stays && { current }) };
}

/** Puts back the anonymous identity that was set aside; null when there is none. */
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
