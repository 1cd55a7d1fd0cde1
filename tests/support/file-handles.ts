// The class of all open files, whose methods a test can watch, or make fail as a full disk does.
import { type FileHandle, open } from 'node:fs/promises';

export async function fileHandles(): Promise<FileHandle> {
  const handle = await open(import.meta.filename);
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

export const diskFull = () => Object.assign(new Error('write'), { code: 'ENOSPC' });
