// The folder that an account is kept in: files by their IDs, each with a note of its digest, and a folder per job.
//
//   files/file-abc-train.jsonl   jobs/ftjob-abc/job.json
//   files/file-abc.json          jobs/ftjob-abc/events.jsonl, checkpoints.json, grader.json, answers.jsonl
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { syncFolder, unlessMissing } from '../../system/index.js';
import { withFileLock } from '../files/file-lock.js';
import { makeFolder, replaceFile } from '../files/files.js';
import { toFileName } from './names.js';

const fileNote = z.object({
  id: z.string(),
  filename: z.nullable(z.string()),
  bytes: z.number(),
  sha256: z.string(),
  /** Within `files`. Two IDs with the same bytes share a file. */
  name: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, 'must be a file name')),
});

export type FileNote = z.output<typeof fileNote>;

export interface AccountStore {
  readonly folder: string;
  filePath(name: string): string;
  /** Where a file is while it arrives. */
  partPath(id: string): string;
  jobPath(jobId: string, name: string): string;
  findNote(id: string): FileNote | undefined;
  findByDigest(sha256: string): FileNote | undefined;
  /**
   * Notes a file that has arrived, and then gives it its name, or removes it if another one with these bytes has that. If
   * the process is killed in between, the file is complete and only its name is missing.
   */
  keep(note: FileNote, isShared: boolean): Promise<void>;
  /** A job's document; null if there is none. */
  read(jobId: string, name: string): Promise<string | null>;
  write(jobId: string, name: string, content: string): Promise<void>;
}

/** One process at a time writes to a folder. `onWait` is called if another one does. */
export async function withStore<T>(
  folder: string,
  options: { signal: AbortSignal; onWait(): void },
  work: (store: AccountStore) => Promise<T>,
): Promise<T> {
  makeFolder(folder);
  return withFileLock(join(folder, '.lock'), async () => work(await openStore(folder)), options);
}

/** @internal */
export async function openStore(folder: string): Promise<AccountStore> {
  const files = join(folder, 'files');
  makeFolder(files);
  const notes = new Map<string, FileNote>();
  for (const name of await readdir(files)) {
    if (!name.endsWith('.json')) continue;
    const note = readNote(await readFile(join(files, name), 'utf8'));
    // The name of a note follows from its ID, so a note that someone else put there does not count.
    if (note && name === `${toFileName(note.id)}.json`) notes.set(note.id, note);
  }
  const jobPath = (jobId: string, name: string) => join(folder, 'jobs', toFileName(jobId), name);
  const partPath = (id: string) => join(files, `.${toFileName(id)}.part`);
  return {
    folder,
    filePath: name => join(files, name),
    partPath,
    jobPath,
    findNote: id => notes.get(id),
    findByDigest: sha256 => [...notes.values()].find(note => note.sha256 === sha256),
    async keep(note, isShared) {
      const { id } = note;
      await replaceFile(join(files, `${toFileName(id)}.json`), `${JSON.stringify(note, null, 2)}\n`);
      if (isShared) await rm(partPath(id));
      else await rename(partPath(id), join(files, note.name));
      await syncFolder(files);
      notes.set(id, note);
    },
    read: (jobId, name) => unlessMissing(readFile(jobPath(jobId, name), 'utf8'), null),
    async write(jobId, name, content) {
      makeFolder(join(folder, 'jobs', toFileName(jobId)));
      await replaceFile(jobPath(jobId, name), content);
    },
  };
}

function readNote(text: string): FileNote | null {
  try {
    return z.parse(fileNote, JSON.parse(text));
  } catch {
    return null;
  }
}

export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** 0 if there is none. */
export async function sizeOf(path: string): Promise<number> {
  return (await unlessMissing(stat(path), null))?.size ?? 0;
}
