// Whether a disk has room for what is about to be written, asked before anything is half written.
import { statfsSync } from 'node:fs';
import { ApiError } from '../../contract/index.js';
import { ELSEWHERE, findExisting } from './not-writable.js';

/** A new database with its log, and some lines in the cloud's own. */
const CLOUD_BYTES = 4_000_000;

interface RoomOptions {
  /** What else one can do where there is none. */
  elsewhere?: string | undefined;
  /** How many bytes a cloud needs. */
  bytes?: number;
}

/** Throws where the disk of a data folder has too little room for a cloud to start. */
export function requireRoomForCloud(
  folder: string,
  { elsewhere = ELSEWHERE, bytes = CLOUD_BYTES }: RoomOptions = {},
): void {
  const free = findFree(findExisting(folder));
  if (free === null || free >= bytes) return;
  throw new ApiError(
    'not_writable',
    `The disk of ${folder} is full: a cloud needs ${toMegabytes(bytes)} there to start, and ${toMegabytes(free)} is free. \
Make room there, or ${elsewhere}.`,
  );
}

/** Null where the file system does not tell. The last blocks of some are for the administrator alone. */
function findFree(path: string): number | null {
  const { blocks, bsize, bavail, bfree } = statfsSync(path);
  if (blocks === 0) return null;
  return (process.getuid?.() === 0 ? bfree : bavail) * bsize;
}

function toMegabytes(bytes: number): string {
  return `${Math.floor(bytes / 1e5) / 10} MB`;
}
