// The last recorded checkpoint of a run as a tar file, with the run's records, for a worker elsewhere that resumes from it.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Claim } from '../../contract/index.js';
import { checkpointName, REMOTE_FOLDER, RUN_RECORDS } from '../../engine/index.js';
import { replaceFile } from '../../system/index.js';
import { archiveFiles } from '../../tar/index.js';
import { listNames } from '../disk/remove-files.js';

export interface ResumeArchive {
  path: string;
  facts: NonNullable<Claim['resume']>;
}

/** Null if there is nothing to resume from. */
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
  const path = join(folder, REMOTE_FOLDER, 'resume.tar');
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
