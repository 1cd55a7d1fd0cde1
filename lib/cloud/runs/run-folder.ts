// A job's working folder: which attempt may save there, and which of its checkpoints are recorded.
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Claim } from '../../contract/index.js';
import {
  checkpointName,
  checkpointStep,
  digestFile,
  isRunWork,
  OWNER_FILE,
  REMOTE_FOLDER,
  RUN_RECORDS,
} from '../../engine/index.js';
import { replaceFile, unlessMissing } from '../../system/index.js';
import { archiveFiles } from '../../tar/index.js';
import { listNames, removeAll } from '../disk/files.js';

/** From now on, only this attempt may save to the folder. */
export async function claimRunFolder(folder: string, attempt: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await replaceFile(join(folder, OWNER_FILE), String(attempt));
}

/**
 * Removes checkpoints that were saved but never recorded, for example because the cloud died in between. The log lacks the
 * steps before them, so the run resumes from an earlier one.
 */
export async function removeUnrecordedCheckpoints(folder: string, lastRecorded: number): Promise<void> {
  for (const name of await listNames(folder)) {
    const step = checkpointStep(name);
    if (step !== null && step > lastRecorded) await rm(join(folder, name), { recursive: true });
  }
}

/** The trainer's resume state. A job that has ended no longer needs it. */
export async function listWork(folder: string): Promise<string[]> {
  return (await listNames(folder)).filter(isRunWork).map(name => join(folder, name));
}

export async function clearWork(folder: string): Promise<void> {
  await removeAll(await listWork(folder));
}

/** The file that a remote worker resumes from. */
export interface ResumeFile {
  path: string;
  sha256: string;
}

export interface ResumeArchive extends Pick<ResumeFile, 'path'> {
  facts: NonNullable<Claim['resume']>;
}

const resumePath = (folder: string) => join(folder, REMOTE_FOLDER, 'resume.tar');

/** The one of the latest claim, from before this cloud was started. Null if that claim had nothing to resume from. */
export async function findResumeFile(folder: string): Promise<ResumeFile | null> {
  const path = resumePath(folder);
  return unlessMissing(
    digestFile(path).then(sha256 => ({ path, sha256 })),
    null,
  );
}

/**
 * The last recorded checkpoint as a tar file, with the run's records, for a remote worker that resumes from it. Null if
 * there is nothing to resume from.
 */
export async function writeResumeArchive(folder: string, step: number): Promise<ResumeArchive | null> {
  const checkpoint = join(folder, checkpointName(step));
  const names = (await listNames(checkpoint)).sort();
  if (step === 0 || names.length === 0) return null;
  const there = new Set(await listNames(folder));
  const records = RUN_RECORDS.filter(name => there.has(name));
  const files = [
    ...names.map(name => ({ name, path: join(checkpoint, name) })),
    ...records.map(name => ({ name, path: join(folder, name) })),
  ];
  const path = resumePath(folder);
  const hash = createHash('sha256');
  let bytes = 0;
  async function* content() {
    for await (const chunk of archiveFiles(files)) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await replaceFile(path, content());
  return { path, facts: { step, bytes, sha256: hash.digest('hex') } };
}
