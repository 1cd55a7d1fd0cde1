// Why something could not be written, in our own words: what, why, and what to do.
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ApiError } from '../../contract/index.js';

/** The way out of every such failure, unless the folder is one that can be named elsewhere. */
export const ELSEWHERE = 'use another folder';
export const IN_HOME = 'name another folder in SVC_HOME';

interface Reason {
  why: string;
  /** What to do about it, where something can be done there. */
  remedy?: string;
}

/** `place` is the part of the path that is there. */
const REASONS: Readonly<Record<string, (place: string) => Reason>> = {
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: () => ({ why: 'its file system is read-only' }),
  ENOSPC: () => ({ why: 'the disk is full', remedy: 'make room there' }),
  EDQUOT: () => ({ why: 'your share of the disk is used up', remedy: 'make room there' }),
  ENOTDIR: inTheWay,
  EEXIST: inTheWay,
  EISDIR: inTheWay,
  ENAMETOOLONG: () => ({ why: 'the name is too long' }),
  ENOENT: place => ({ why: `nothing can be made in ${place}` }),
};

function notAllowed(place: string): Reason {
  return { why: 'you are not allowed to', remedy: `make ${place} yours` };
}

function inTheWay(place: string): Reason {
  const what = statSync(place).isDirectory() ? 'folder' : 'file';
  return { why: `the ${what} ${place} is in the way`, remedy: 'move it away' };
}

/** An error of the file system as one that says what to do; any other as it is. */
export function toNotWritable(error: unknown, path: string, elsewhere = ELSEWHERE): unknown {
  const told = explainNotWritable(error, path, elsewhere);
  return told ? new ApiError('not_writable', `${told.fault}. ${told.remedy}`, { cause: error }) : error;
}

/** What an error of the file system means for the path, and what to do about it; null of any other. */
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

/** The path, or the nearest one above it that is there: what must be writable for it to be made. */
export function findExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : findExisting(dirname(path));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
