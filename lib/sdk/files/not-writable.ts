// Explains why something cannot be written, and what to do about it.
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ApiError } from '../../contract/index.js';
import { freeBytes } from '../../system/index.js';

/** The default alternative, unless the folder can be configured. */
const ELSEWHERE = 'use another folder';
export const IN_HOME = 'set SVC_HOME to another folder';

interface Reason {
  why: string;
  /** How to fix it in place, if that is possible. */
  remedy?: string;
}

/** `place` is the part of the path that exists. */
const REASONS: Readonly<Record<string, (place: string) => Reason>> = {
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: () => ({ why: 'the file system is read-only' }),
  ENOSPC: () => ({ why: 'the disk is full', remedy: 'free up space' }),
  EDQUOT: () => ({ why: 'your disk quota is used up', remedy: 'free up space' }),
  ENOTDIR: inTheWay,
  EEXIST: inTheWay,
  EISDIR: inTheWay,
  ENAMETOOLONG: () => ({ why: 'the name is too long' }),
  ENOENT: place => ({ why: `there is no such folder in ${place}` }),
};

function notAllowed(place: string): Reason {
  return { why: 'permission denied', remedy: `change the owner or permissions of ${place}` };
}

function inTheWay(place: string): Reason {
  const what = statSync(place).isDirectory() ? 'folder' : 'file';
  return { why: `the ${what} ${place} is in the way`, remedy: 'move it' };
}

/** Turns a file system error into one that says what to do; returns other errors unchanged. */
export function toNotWritable(error: unknown, path: string, elsewhere = ELSEWHERE): unknown {
  const explanation = explainNotWritable(error, path, elsewhere);
  return explanation
    ? new ApiError('not_writable', `${explanation.fault}. ${explanation.remedy}`, { cause: error })
    : error;
}

/** What a file system error means for the path, and how to fix it; null for other errors. */
export function explainNotWritable(
  error: unknown,
  path: string,
  elsewhere: string,
): { fault: string; remedy: string } | null {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!Object.hasOwn(REASONS, code)) return null;
  const { why, remedy } = REASONS[code]!(findExisting(path));
  const ways = [remedy, elsewhere].filter(Boolean).join(', or ');
  return { fault: `${path} cannot be written: ${why} (${code})`, remedy: `${capitalize(ways)}.` };
}

/** The path or its nearest existing parent: what must be writable to create it. */
export function findExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : findExisting(dirname(path));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Room for a new database with its log, and some lines in the cloud's log. */
const CLOUD_BYTES = 4_000_000;

interface RoomOptions {
  /** The alternative to suggest if there is no room. */
  elsewhere?: string | undefined;
  /** How much space a cloud needs, in bytes. */
  bytes?: number;
}

/** Throws if the disk has too little space for a cloud to start, before anything is partially written. */
export function requireRoomForCloud(
  folder: string,
  { elsewhere = ELSEWHERE, bytes = CLOUD_BYTES }: RoomOptions = {},
): void {
  const free = freeBytes(findExisting(folder));
  if (free === null || free >= bytes) return;
  throw new ApiError(
    'not_writable',
    `The disk of ${folder} is full: a cloud needs ${toMegabytes(bytes)} there to start, and ${toMegabytes(free)} is free. \
Make room there, or ${elsewhere}.`,
  );
}

function toMegabytes(bytes: number): string {
  return `${Math.floor(bytes / 1e5) / 10} MB`;
}
