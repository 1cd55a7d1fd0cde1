// Whether anything has this path, even a link that leads nowhere.
import { lstat } from 'node:fs/promises';

export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
