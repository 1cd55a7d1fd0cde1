// The data folder holds keys, data sets and adapters, so it is for its user alone. If others can read it, its mode is
// narrowed, or it is refused if it may hold something else. On Windows, folders in a profile are private.
import { chmodSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** Others can read or own the folder. The message says what to do. @internal */
export class FolderSharedError extends Error {
  override readonly name = 'FolderSharedError';
}

/** What a cloud puts into its folder. */
const OURS =
  /^(?:(?:cloud|lock|requests)\.db(?:-\w+)?|(?:cloud|options)\.json.*|stopped|logs|models|jobs|datasets|uploads|downloads|rounded|backup-[0-9a-f]{12}(?:\.lock(?:-journal)?)?)$/;

export function makePrivateFolder(folder: string, { uid = process.getuid?.() } = {}): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (uid === undefined) return;
  const found = statSync(folder);
  if (found.uid !== uid) throw ownedByOther(folder);
  if (!isOpenToOthers(found)) return;
  if (!readdirSync(folder).every(name => OURS.test(name))) throw shared(folder, found);
  chmodSync(folder, 0o700);
  if (isOpenToOthers(statSync(folder))) throw withoutRights(folder);
}

function isOpenToOthers({ mode }: Stats): boolean {
  return (mode & 0o077) !== 0;
}

function ownedByOther(folder: string): FolderSharedError {
  return new FolderSharedError(
    `${folder} belongs to another user, who could read the cloud's data. Use your own folder, such as a new one inside it: --data ${join(folder, 'svc')}`,
  );
}

function shared(folder: string, { mode }: Stats): FolderSharedError {
  const rights = (mode & 0o777).toString(8);
  return new FolderSharedError(
    `Other users can open ${folder} (mode ${rights}), and it holds more than the cloud's data. Use a separate folder: --data ${join(folder, 'svc')}. If only the cloud uses it: chmod 700 ${folder}`,
  );
}

function withoutRights(folder: string): FolderSharedError {
  return new FolderSharedError(
    `${folder} cannot be made private: its file system does not support permissions. Use a folder on another disk.`,
  );
}
